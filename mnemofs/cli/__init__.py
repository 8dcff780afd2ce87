"""The command line: parse, call one method of the workspace, print."""
