"""Machines as network namespaces around a router, which can drop what two of them send each other.

Everything happens in namespaces of this process' own, so that nothing is left of it however it ends.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

APART = "ATTA_DRILL_APART"
"""The variable that says that this process has namespaces of its own."""
_UNSHARE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
_ROUTER = "router"
_FOLDER = "/run/netns"


def missing() -> str:
    """Return why there can be no machines here; empty if there can."""
    if os.geteuid() != 0:
        return "only root can make network namespaces"
    for program in ("ip", "unshare"):
        if not shutil.which(program):
            return f"the program {program} is not installed (iproute2, util-linux)"
    probe = f"mount -t tmpfs tmpfs {_FOLDER} && ip netns add one && ip link add one type veth peer name two"
    rule = "ip rule add from 10.77.1.2 to 10.77.2.2 blackhole"
    Path(_FOLDER).mkdir(parents=True, exist_ok=True)
    done = subprocess.run([*_UNSHARE, "sh", "-c", f"{probe} && {rule}"], capture_output=True, text=True, check=False)
    return f"no network namespaces here: {done.stderr.strip()}" if done.returncode else ""


def apart(module: str, arguments: Sequence[str], **named: object) -> "subprocess.CompletedProcess[str]":
    """Run a module in namespaces of its own: network, mounts and processes. All of it ends with the first process."""
    begin = ("sh", "-c", 'ip link set lo up && exec "$@"', "sh")
    command = [*_UNSHARE, *begin, sys.executable, "-m", module, *arguments]
    return subprocess.run(command, env=os.environ | {APART: "1"}, text=True, check=False, **named)  # type: ignore[call-overload,no-any-return]


@dataclass(frozen=True)
class Machine:
    """A network namespace with one address."""

    name: str
    number: int

    @property
    def address(self) -> str:
        """Return its address."""
        return f"10.77.{self.number}.2"

    @property
    def prefix(self) -> tuple[str, ...]:
        """Return what a command begins with to run there."""
        return ("ip", "netns", "exec", self.name)


@dataclass
class Network:
    """A router and the machines around it. People, who are this process, have a line of their own to it."""

    machines: dict[str, Machine] = field(default_factory=dict)
    _cut: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Set up the router, and the line from it to here."""
        _run("mount", "-t", "tmpfs", "tmpfs", _FOLDER)
        _run("ip", "netns", "add", _ROUTER)
        _run("ip", "netns", "exec", _ROUTER, "sysctl", "-qw", "net.ipv4.ip_forward=1")
        self.people = Machine("people", 100)
        self._connect(self.people, ())

    def add(self, name: str) -> Machine:
        """Add a machine."""
        machine = self.machines[name] = Machine(name, len(self.machines) + 1)
        _run("ip", "netns", "add", name)
        self._connect(machine, ("-n", name))
        return machine

    def _connect(self, machine: Machine, there: tuple[str, ...]) -> None:
        line, home = f"m{machine.number}", f"10.77.{machine.number}.1"
        move = ("netns", machine.name) if there else ()
        _run("ip", "-n", _ROUTER, "link", "add", line, "type", "veth", "peer", "name", f"{line}p")
        target = ("netns", machine.name) if move else ("netns", str(os.getpid()))
        _run("ip", "-n", _ROUTER, "link", "set", f"{line}p", *target)
        _run("ip", "-n", _ROUTER, "address", "add", f"{home}/24", "dev", line)
        _run("ip", "-n", _ROUTER, "link", "set", line, "up")
        if move:
            _run("ip", *there, "link", "set", "lo", "up")
        _run("ip", *there, "link", "set", f"{line}p", "name", "eth0")
        _run("ip", *there, "address", "add", f"{machine.address}/24", "dev", "eth0")
        _run("ip", *there, "link", "set", "eth0", "up")
        _run("ip", *there, "route", "add", "default", "via", home)

    def cut(self, one: Machine, other: Machine) -> None:
        """Drop everything that two machines send each other, without an error to either."""
        self._rule("add", one, other)

    def mend(self, one: Machine, other: Machine) -> None:
        """Connect two machines again."""
        self._rule("del", one, other)

    def _rule(self, what: str, one: Machine, other: Machine) -> None:
        for source, target in ((one, other), (other, one)):
            _run("ip", "-n", _ROUTER, "rule", what, "from", source.address, "to", target.address, "blackhole")

    def unplug(self, machine: Machine) -> None:
        """Disconnect a machine from all others."""
        _run("ip", "-n", _ROUTER, "link", "set", f"m{machine.number}", "down")

    def plug(self, machine: Machine) -> None:
        """Connect a machine to all others again."""
        _run("ip", "-n", _ROUTER, "link", "set", f"m{machine.number}", "up")

    def kill_all_on(self, machine: Machine) -> None:
        """Kill every process of a machine, as when its power fails."""
        found = subprocess.run(["ip", "netns", "pids", machine.name], capture_output=True, text=True, check=True)
        for number in found.stdout.split():
            with suppress(ProcessLookupError):
                os.kill(int(number), signal.SIGKILL)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
