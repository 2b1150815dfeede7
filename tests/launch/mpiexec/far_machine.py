"""Other machines, for tests: runs the commands that relay.py brings, as children of the test itself, so that neither mpiexec
nor the kernel ends them with their callers. LAUNCH_TEST_THERE="NAME=VALUE ..." is in the environment there alone.
"""
import json
import pathlib
import socket
import subprocess
import tempfile
import threading

RELAY = pathlib.Path(__file__).with_name("relay.py")


class FarMachine:
    """Use in a with statement; `words` are mpiexec's, `environment` is for it."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.socket = socket.socket(socket.AF_UNIX)
        path = f"{self.folder.name}/socket"
        self.socket.bind(path)
        self.socket.listen(100)
        threading.Thread(target=self.serve, daemon=True).start()
        self.words = ["--launcher-exec", RELAY]
        self.environment = {"LAUNCH_TEST_FAR": path}
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.folder.cleanup()

    def serve(self):
        while True:
            try:
                caller, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.run, args=(caller,), daemon=True).start()

    @staticmethod
    def run(caller):
        with caller:
            first = b""
            while not first.endswith(b"\n"):  # one byte after the other, for the rest is for the command
                first += caller.recv(1)
            asked = json.loads(first)
            environment = asked["environment"]
            environment.pop("CUDA_VISIBLE_DEVICES", None)  # a login does not have what its caller has exported
            environment |= dict(there.split("=", 1) for there in environment.get("LAUNCH_TEST_THERE", "").split())
            process = subprocess.Popen(["sh", "-c", asked["command"]], stdin=caller, stdout=caller, stderr=subprocess.DEVNULL,
                                       env=environment, start_new_session=True)
        process.wait()
