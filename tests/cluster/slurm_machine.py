"""A real Slurm on this one machine, for tests: a controller and one node, on loopback, with files of their own.

It needs Debian's slurm-wlm and munge, and root. Nothing outside its folder is written, and only its own processes are
ended.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo", "srun")

CONF = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=20
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
JobRequeue=1
SlurmdTimeout=15
MinJobAge=120
InactiveLimit=0
KillWait=5
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
{node} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing_programs() -> list[str]:
    """What would have to be installed (apt-get install slurm-wlm munge)."""
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    return [name for name in PROGRAMS if not shutil.which(name, path=path)]


@dataclass
class SlurmMachine:
    """A controller, a node and their authentication service in one folder."""

    folder: Path
    processes: dict[str, subprocess.Popen] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to talk to this Slurm and to no other."""
        path = f"{self.folder}/bin:{os.environ['PATH']}:/usr/sbin:/sbin"
        return {**os.environ, "SLURM_CONF": f"{self.folder}/slurm.conf", "PATH": path}

    def start(self) -> None:
        """Write the configuration, start everything and wait until the node is idle."""
        for name in ("state", "spool", "bin"):
            (self.folder / name).mkdir(parents=True)
        self.folder.chmod(0o755)
        (self.folder / "munge.key").write_bytes(os.urandom(1024))
        (self.folder / "munge.key").chmod(0o600)
        # The executor takes SLURM_CONF away inside a job; a wrapper brings it back.
        wrapper = self.folder / "bin" / "srun"
        real = shutil.which("srun")
        wrapper.write_text(f'#!/bin/sh\nSLURM_CONF="{self.folder}/slurm.conf" exec {real} "$@"\n')
        wrapper.chmod(0o755)
        (self.folder / "slurm.conf").write_text(self._configuration())
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        munge = {name: f"{self.folder}/munge.{name}" for name in ("socket", "key", "log", "pid", "seed")}
        self._run(
            "munged",
            "--foreground",
            "--force",
            f"--socket={munge['socket']}",
            f"--key-file={munge['key']}",
            f"--log-file={munge['log']}",
            f"--pid-file={munge['pid']}",
            f"--seed-file={munge['seed']}",
        )
        wait_until(Path(munge["socket"]).exists, "munged has a socket")
        self._start_controller()
        self.start_node()

    def start_node(self) -> None:
        """Start the node (again) and wait until it can take jobs."""
        self._run("slurmd", "-D", "-c")
        self._await_node()

    def _start_controller(self) -> None:
        self._run("slurmctld", "-D", "-c")

    def _await_node(self) -> None:
        wait_until(lambda: self.node_state() in {"idle", "mixed", "allocated"}, "the node is up")

    def kill_node(self) -> int:
        """Kill the node with every process of its jobs, as a power cut would; how many processes of jobs there were."""
        node = self.processes.pop("slurmd")
        os.kill(node.pid, signal.SIGKILL)
        node.wait()
        killed = 0
        for step in self.steps():
            for pid in [*descendants(step), step]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
        return killed

    def lose_controller(self) -> None:
        """Kill the controller and start it again without what it knew, as after the loss of its disk."""
        controller = self.processes.pop("slurmctld")
        controller.kill()
        controller.wait()
        self._start_controller()
        self._await_node()

    def stop(self) -> None:
        """End everything that this object started."""
        if "slurmctld" in self.processes:
            ids = [line.split()[0] for line in self.call("squeue", "--noheader", "--format=%i").splitlines()]
            if ids:
                self.call("scancel", *ids)
                wait_until(lambda: not self.call("squeue", "--noheader"), "the queue is empty", 60)
        for process in reversed(self.processes.values()):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        self.processes.clear()

    def call(self, *command: str) -> str:
        """What a Slurm command prints."""
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True).stdout

    def node_state(self) -> str:
        """Slurm's word for the node: idle, mixed, allocated, down ..."""
        try:
            return self.call("sinfo", "--noheader", "--format=%T").strip().rstrip("*~#$@!%+-^")
        except subprocess.CalledProcessError:
            return "no controller"

    def claims(self) -> dict[int, tuple[str, str]]:
        """What each job is for (its comment) and the memory that it asked for, also of jobs that ended lately."""
        lines = self.call("squeue", "--noheader", "--states=all", "--format=%i|%m|%k").splitlines()
        parts = [line.split("|", 2) for line in lines]
        return {int(job): (comment, memory) for job, memory, comment in parts}

    def close_node(self) -> None:
        """Let jobs wait in the queue."""
        self._update_node("drain")

    def open_node(self) -> None:
        """Let the node take jobs again."""
        self._update_node("resume")

    def _update_node(self, state: str) -> None:
        node = self.call("sinfo", "--noheader", "--format=%n").strip()
        self.call("scontrol", "update", f"nodename={node}", f"state={state}", "reason=test")

    def waiting_jobs(self) -> set[int]:
        """The jobs that have not begun."""
        return {int(word) for word in self.call("squeue", "--noheader", "--states=PENDING", "--format=%i").split()}

    def running_jobs(self) -> int:
        """How many jobs run now."""
        return len(self.call("squeue", "--noheader", "--states=RUNNING").splitlines())

    def _configuration(self) -> str:
        described = subprocess.run(["slurmd", "-C"], env=self.environment, capture_output=True, text=True, check=True)
        words = described.stdout.split("\n")[0].split()
        memory = next(int(word.split("=")[1]) for word in words if word.startswith("RealMemory="))
        node = " ".join(word for word in words if not word.startswith(("RealMemory=", "UpTime=")))
        ports = free_ports(2)
        return CONF.format(
            host=socket.gethostname().split(".")[0],
            folder=self.folder,
            controller_port=ports[0],
            node_port=ports[1],
            node=f"{node} RealMemory={int(memory * 0.9)} NodeAddr=127.0.0.1",
        )

    def _run(self, program: str, *arguments: str) -> None:
        log = (self.folder / f"{program}.out").open("ab")
        self.processes[program] = subprocess.Popen(
            [program, *arguments], env=self.environment, stdout=log, stderr=log, start_new_session=True
        )

    def steps(self) -> list[int]:
        """The processes that watch over the jobs' steps: those of slurmstepd that serve this folder's node."""
        found = []
        for folder in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if folder.name.isdigit() and (folder / "comm").read_text().startswith("slurmstepd"):
                    environment = (folder / "environ").read_bytes()
                    if os.fsencode(f"{self.folder}/slurm.conf") in environment:
                        found.append(int(folder.name))
        return found


def descendants(pid: int) -> list[int]:
    """Every process below this one, deepest first."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, IndexError, ValueError):
            if folder.name.isdigit():
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                children.setdefault(parent, []).append(int(folder.name))
    return [below for child in children.get(pid, []) for below in [*descendants(child), child]]


def free_ports(count: int) -> list[int]:
    """Ports of this machine that nobody uses."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def wait_until(condition, what: str, seconds: float = 60) -> None:
    """Return when the condition holds; an error that says what was waited for."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"Waited {seconds:.0f} s in vain until {what}.")
        time.sleep(0.2)
