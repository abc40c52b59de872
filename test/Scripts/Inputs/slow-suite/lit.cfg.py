# A suite with a test that hangs, under the configuration of all tests.
import os

config.build_dir = lit_config.params["build_dir"]
config.source_dir = lit_config.params["source_dir"]
config.llvm_tools_dir = lit_config.params["llvm_tools_dir"]
config.cmake = "cmake"
lit_config.load_config(config, os.path.join(config.source_dir, "test", "lit.cfg.py"))
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["folder"]
