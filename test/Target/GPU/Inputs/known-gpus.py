"""Checks the driver's list of GPUs against LLVM's: known-gpus.py DRIVER SOURCE"""
import subprocess
import sys


def processors(triple):
    text = subprocess.run(["llc", f"-mtriple={triple}", "-mcpu=help", "/dev/null"], capture_output=True, text=True).stderr
    text = text.split("Available CPUs for this target:")[1].split("Available features for this target:")[0]
    return {line.split()[0] for line in text.splitlines() if line.strip().startswith(("gfx", "sm_"))}


def answer(driver, source, name):
    result = subprocess.run([driver, "-###", "-c", f"--offload-arch={name}", source], capture_output=True, text=True)
    return "known" if result.returncode == 0 else "too old" if " is too old: " in result.stderr else "not known"


def main():
    driver, source = sys.argv[1:]
    answers = {name: answer(driver, source, name) for name in processors("amdgcn") | processors("nvptx64")}
    for kind in ("too old", "not known"):
        print(f"{kind}:", *(sorted(name for name, given in answers.items() if given == kind) or ["none"]))


main()
