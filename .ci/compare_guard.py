#!/usr/bin/env python3
"""Run the differential tool whose path is the first argument, with one mend.

Its random Claude Code sessions may add a line to a subagent's transcript before
that file's folder exists, which ends the tool with FileNotFoundError (seed 1).
The folder is made first. The random numbers it draws stay the same.
"""
import importlib.util
import os
import sys

spec = importlib.util.spec_from_file_location("compare_guard", sys.argv.pop(1))
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)
noise = tool.Claude.noise


def noise_in_a_folder(session, agent):
    os.makedirs(os.path.dirname(session.files[agent]), exist_ok=True)
    return noise(session, agent)


tool.Claude.noise = noise_in_a_folder
sys.exit(tool.main())
