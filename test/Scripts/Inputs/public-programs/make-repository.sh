# Makes the repository of the programs beside this script, and the manifests that name its commit.
# usage: make-repository.sh FOLDER
set -e
inputs=$(dirname "$0")
mkdir -p "$1/repositories/owner/name" "$1/manifests"
cp "$inputs"/*.c "$1/repositories/owner/name"
git="git -C $1/repositories/owner/name -c user.name=tester -c user.email=tester@example.org -c init.defaultBranch=main"
$git init -q
$git add .
$git commit -q -m programs
sed "s/COMMIT/$($git rev-parse HEAD)/" "$inputs/first.toml" > "$1/manifests/first.toml"
cp "$inputs/second.toml" "$1/manifests"
