"""Prints the outcomes, the names and the reasons that scripts/suite.py reads from reports of lit and ctest."""
import os
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1]) / "scripts"))
sys.dont_write_bytecode = True
import suite
from summary import report

REPORT = """<testsuite>
<testcase classname="cilk2gpu.core" name="works.test" time="0.00"/>
<testcase classname="cilk2gpu.core" name="needs.test"><skipped message="Missing required feature(s): csmith"/></testcase>
<testcase classname="ChannelModel.Spin" name="ChannelModel.Spin" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
<system-out>skipped: spin is not installed (apt-get install spin)
</system-out></testcase>
<testcase classname="Host.Other" name="Host.Other" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>[ RUN      ] Host.Other
../test/unit/HostTest.cpp:161: Skipped
this device has no workers
[  SKIPPED ] Host.Other (0 ms)
</system-out></testcase>
<testcase classname="Host.Missing" name="Host.Missing" status="notrun"><skipped message="Unable to find executable"/>
</testcase>
</testsuite>"""

for case in ElementTree.fromstring(REPORT).iter("testcase"):
    result = suite.outcome(case)
    print(f"{result}: {suite.name_of(case)}" + (f" ({suite.reason_of(case)})" if result is None else ""))

# Suites that count themselves write the same file.
file = Path(sys.argv[2])
os.environ["SUMMARY"] = str(file)
report(2, 0, ["firmware (no libunicorn)", "csmith seed 4 (the program does not end)"])
print(file.read_text(), end="")
