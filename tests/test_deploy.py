"""The files in `deploy` start every process as it is meant to be, and set only variables that exist."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from atta_site import processes
from atta_site.serve import KINDS, ONE_ONLY, command, main, usual_size

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "docker/compose.yaml").read_text())
KUBERNETES = list(yaml.safe_load_all((DEPLOY / "kubernetes/atta.yaml").read_text()))
DOCKERFILE = (DEPLOY / "docker/Dockerfile").read_text()
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
DIVIDED = set(KINDS) - {"beat"}
"""Kinds that start further processes."""
ROOM = 512
"""MiB for what starts the parts, and for a part that is replaced while its successor starts."""
NOT_OURS = re.compile(r"PATH|PYTHON\w+|DJANGO_SETTINGS_MODULE|(POSTGRES|RABBITMQ_DEFAULT)_\w+")


def test_every_process_has_a_unit_a_service_and_a_deployment() -> None:
    started = re.compile(r"^ExecStart=.* atta_site\.serve (\w+)$", re.MULTILINE)
    units = {kind for path in UNITS for kind in started.findall(path.read_text())}
    commands = [one.get("command", [""]) for one in COMPOSE["services"].values()]
    services = {words[-1] for words in commands if "atta_site.serve" in words}
    pods = {one["command"][-1] for _, one in containers() if "atta_site.serve" in one["command"]}
    assert (units, services, pods) == (set(KINDS), set(KINDS), set(KINDS))


def test_what_there_must_be_one_of_is_never_started_twice() -> None:
    for kind in ONE_ONLY:
        deployment = next(one["spec"] for one in KUBERNETES if one["metadata"]["name"] == f"atta-{kind}")
        assert (deployment["replicas"], deployment["strategy"]) == (1, {"type": "Recreate"})
        assert COMPOSE["services"][kind]["deploy"] == {"replicas": 1}


def test_every_unit_sets_the_folders_that_it_may_write_to() -> None:
    places = {"METRICS_DIR": "/run/atta"} | {
        name: f"/var/lib/atta/{folder}"
        for name, folder in (("SPOOL_DIR", "spool"), ("DUMPS_DIR", "dumps"), ("STATIC_ROOT", "static"))
    }
    folders = " ".join(f"{name}={place}" for name, place in places.items())
    for path in UNITS:
        lines = path.read_text().splitlines()
        assert {f"Environment={folders}", "RuntimeDirectory=atta", "StateDirectory=atta"} <= set(lines), path.name
    assert f'"Environment={folders}"' in (DEPLOY / "atta-manage").read_text()


def test_every_variable_that_is_set_exists() -> None:
    documented = set(re.findall(r"^#(\w+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    unknown = {(where, name) for where, name in variables() if name.removesuffix("_FILE") not in documented}
    assert {(where, name) for where, name in unknown if not NOT_OURS.fullmatch(name)} == set()


def variables() -> Iterator[tuple[str, str]]:
    for path in UNITS:
        for line in re.findall(r"^Environment=(.*)$", path.read_text(), re.MULTILINE):
            yield from ((path.name, pair.partition("=")[0]) for pair in line.split())
    for name, service in COMPOSE["services"].items():
        yield from ((f"compose {name}", variable) for variable in service.get("environment", ()))
    yield from (("kubernetes", name) for name in next(one["data"] for one in KUBERNETES if one["kind"] == "ConfigMap"))
    yield from (("kubernetes", one["name"]) for _, container in containers() for one in container.get("env", ()))
    example = (DEPLOY / "docker/environment.example").read_text()
    yield from (("environment.example", name) for name in re.findall(r"^(\w+)=", example, re.MULTILINE))
    yield from (("Dockerfile", name) for name in re.findall(r"^(?:ENV|   ) (\w+)=\S+", DOCKERFILE, re.MULTILINE))


def containers() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield every container of the manifests, with its pod."""
    for one in KUBERNETES:
        if one["kind"] in {"Deployment", "Job"}:
            pod = one["spec"]["template"]["spec"]
            yield from ((pod, container) for container in pod["containers"])


def test_containers_run_without_root_privileges_on_a_read_only_file_system() -> None:
    ours = [one for one in COMPOSE["services"].values() if one["image"] == "atta"]
    assert len(ours) == len(KINDS) + 1
    for service in ours:
        assert (service["user"], service["read_only"], service["cap_drop"]) == ("10001:10001", True, ["ALL"])
    for pod, container in containers():
        assert pod["securityContext"]["runAsNonRoot"]
        locked = {"readOnlyRootFilesystem": True, "allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
        assert container["securityContext"] == locked
        assert container["resources"]["limits"]["memory"]


def test_what_a_process_may_take_in_all_is_more_than_what_its_parts_may_take() -> None:
    for where, kind, most, settings in limits():
        each = int(settings["WEB_MEMORY" if kind == "web" else "WORKER_MEMORY"])
        parts = int(settings.get("PROCESSES", usual_size(kind)))
        assert kind not in DIVIDED or most >= parts * each + ROOM, (where, kind)


def limits() -> Iterator[tuple[str, str, int, dict[str, str]]]:
    """Yield every limit of memory of a process that limits its parts: where, its kind, MiB, and its settings."""
    usual = dict(re.findall(r"^#(W\w+_MEMORY)=(\d+)$", (ROOT / ".env.example").read_text(), re.MULTILINE))
    config = next(one["data"] for one in KUBERNETES if one["kind"] == "ConfigMap")
    for _, one in containers():
        own = {pair["name"]: pair["value"] for pair in one.get("env", ())}
        yield "kubernetes", one["command"][-1], mebibytes(one["resources"]["limits"]["memory"]), usual | config | own
    for name, one in COMPOSE["services"].items():
        if name in KINDS and "mem_limit" in one:
            yield "compose", name, mebibytes(one["mem_limit"]), usual | one["environment"]
    for path in UNITS:
        for most in re.findall(r"^MemoryMax=(\w+)$", path.read_text(), re.MULTILINE):
            yield path.name, path.stem.removeprefix("atta-"), mebibytes(most), usual


def mebibytes(text: str) -> int:
    number, unit = re.fullmatch(r"(\d+)([MG])I?", text.upper()).groups()  # type: ignore[union-attr]
    return int(number) * (1024 if unit == "G" else 1)


def test_image_names_its_base_and_ends_as_a_user_without_privileges() -> None:
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["python:3.13-slim-bookworm"] * 2
    assert re.findall(r"^USER (\S+)", DOCKERFILE, re.MULTILINE) == ["10001:10001"]
    assert "ADD " not in DOCKERFILE
    assert "--require-hashes" in DOCKERFILE


def test_services_of_kubernetes_find_their_pods_and_ports() -> None:
    templates = [one["spec"]["template"] for one in KUBERNETES if one["kind"] == "Deployment"]
    pods = {tuple(one["metadata"]["labels"].items()): one["spec"] for one in templates}
    for service in (one["spec"] for one in KUBERNETES if one["kind"] == "Service"):
        (container,) = pods[tuple(service["selector"].items())]["containers"]
        assert [port["name"] for port in container["ports"]] == [port["targetPort"] for port in service["ports"]]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_no_fault_in_the_units(tmp_path: Path) -> None:
    for path in sorted((DEPLOY / "systemd").iterdir()):
        text = path.read_text().replace("/opt/atta/.venv/bin/python", "/bin/true").replace("/opt/atta", "/")
        (tmp_path / path.name).write_text(text)
    units = [str(path) for path in sorted(tmp_path.iterdir())]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False
    )
    assert [line for line in done.stderr.splitlines() if str(tmp_path) in line or "atta" in line] == []


@pytest.mark.skipif(not (shutil.which("nginx") and shutil.which("openssl")), reason="nginx or openssl is not installed")
def test_nginx_finds_no_fault_in_its_sample(tmp_path: Path) -> None:
    names = ["-subj", "/CN=ADDRESS", "-keyout", "privkey.pem", "-out", "fullchain.pem"]
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subprocess.run(["openssl", "req", "-x509", *key, *names], cwd=tmp_path, capture_output=True, check=True)
    sample = (DEPLOY / "nginx.conf").read_text().replace("/etc/letsencrypt/live/ADDRESS", str(tmp_path))
    sample = re.sub(r"listen (\S+?)(?=[ ;])", r"listen unix:\1.socket", sample)  # only root may open the ports
    folders = [f"{kind}_temp_path {kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")]
    whole = ["pid pid;", "error_log stderr;", "events {}", "http {", "access_log off;", *folders, sample, "}"]
    (tmp_path / "nginx.conf").write_text("\n".join(whole))
    command = ["nginx", "-t", "-p", str(tmp_path), "-c", "nginx.conf", "-e", "stderr"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_metrics_are_for_the_inside_only() -> None:
    assert "location = /metrics {\n\t\treturn 404;" in (DEPLOY / "nginx.conf").read_text()
    for caddyfile in (DEPLOY / "Caddyfile", DEPLOY / "docker/Caddyfile"):
        assert "@inside path /metrics\n\trespond @inside 404" in caddyfile.read_text()


def test_process_gets_the_command_of_its_kind() -> None:
    place = {"host": "127.0.0.1", "port": 9, "size": 3, "memory": 512, "folder": Path("/x")}
    assert command("web", **place) == processes.web("127.0.0.1", 9, workers=3, memory=512)  # type: ignore[arg-type]
    assert command("bots", **place) == processes.worker("bots", concurrency=3, queue="bots")  # type: ignore[arg-type]
    assert command("beat", **place) == processes.beat(Path("/x"))  # type: ignore[arg-type]


def test_unknown_process_and_bad_port_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["cron"]) == 2
    monkeypatch.setenv("PORT", "many")
    assert main(["web"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "usage: python -m atta_site.serve worker|small|bots|films|beat|web",
        "PORT: expected a whole number of at least 1, got 'many'",
    ]


def test_image_gets_what_the_service_needs_with_hashes_and_no_tools_of_developers() -> None:
    program = [sys.executable, str(ROOT / ".ci/runtime_lock.py")]
    lock = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))
    assert names >= {"django", "psycopg", "psycopg-binary", "redis", "amqp", "fido2", "granian", "prometheus-client"}
    assert names.isdisjoint({"pytest", "playwright", "mypy", "ruff", "schemathesis", "setuptools"})
    assert lock.count("--hash=sha256:") >= len(names)
    video = subprocess.run([*program, "video"], capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^([\w.-]+)==", video, re.MULTILINE)) - names == {"av"}
