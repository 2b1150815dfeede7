#!/usr/bin/env python3
"""What ssh is to sshd, without a network: `relay.py HOST COMMAND` has far_machine.py run COMMAND, and carries its standard
input and output. mpiexec cannot reach what runs there by signals. The variable LAUNCH_TEST_FAR names the socket;
LAUNCH_TEST_SLOW="HOST BYTES" lets so many bytes a second come from that host.
"""
import json
import os
import selectors
import socket
import sys
import time

host, command = sys.argv[1:]
there = socket.socket(socket.AF_UNIX)
there.connect(os.environ["LAUNCH_TEST_FAR"])
there.sendall(json.dumps({"command": command, "environment": dict(os.environ)}).encode() + b"\n")
slow_host, bytes_per_s = os.environ.get("LAUNCH_TEST_SLOW", "- 1000000000").split()
pause_per_byte_s = 1 / int(bytes_per_s) if host == slow_host else 0

ready = selectors.DefaultSelector()
ready.register(0, selectors.EVENT_READ)
ready.register(there, selectors.EVENT_READ)
while True:
    for key, _ in ready.select():
        piece = os.read(key.fd, 1 << 14)
        if not piece:
            sys.exit(0)
        if key.fd == 0:
            there.sendall(piece)
            continue
        time.sleep(pause_per_byte_s * len(piece))
        while piece:
            piece = piece[os.write(1, piece):]
