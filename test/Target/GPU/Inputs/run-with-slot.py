"""Runs a program with the name of the slot that images have for a key of DeviceModule.h: run-with-slot.py KEY PROGRAM"""
import hashlib
import os
import sys

key, program = sys.argv[1:]
os.execv(program, [program, "__cilk2gpu_address_" + hashlib.md5(key.encode()).digest()[:8].hex()])
