"""Renders deploy/helm with Helm's own engine, and validates the objects: `make check-helm`.

- Helm's linter reports no problems.
- The objects of every set of values are valid by the Kubernetes schemas.
- Without values, the chart renders the same objects as deploy/kubernetes.
- The values in deploy/helm/examples have the documented effects.
- Every setting that is a file can be mounted.
- Invalid values are rejected.

Exits 1 if a check fails. The ServiceMonitor belongs to the Prometheus Operator, and the HTTPRoute to the Gateway API; neither
is part of the Kubernetes schemas, so only their fields are compared.
"""
import difflib
import pathlib
import re
import sys

import kubernetes_validate
import yaml
from helm_python import Chart, errors
from helm_python.chart import lint

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "lib"))
import report

CHART = ROOT / "deploy" / "helm"
KUBERNETES = ROOT / "deploy" / "kubernetes"
# Objects that only the chart or only deploy/kubernetes contains; Helm creates the namespace itself.
OWN_LABELS = {"app.kubernetes.io/instance", "app.kubernetes.io/version", "app.kubernetes.io/managed-by", "helm.sh/chart"}
NOT_OF_THE_CHART = {"kustomization.yaml", "prometheus-adapter.yaml", "namespace.yaml"}
SETS = {
    "the defaults": {},
    "without Redis, autoscaling, policies": {
        "redis": {"enabled": False}, "autoscaling": {"enabled": False}, "networkPolicy": {"enabled": False},
        "disruptionBudget": {"enabled": False},
    },
    "everything": {
        "metrics": {"serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}}, "annotations": False},
        "redis": {"enabled": False, "url": "redis://cache.example.com:6379/1"},
        "settings": {"HEADROOM_URL_FORMATS": "thumbor,imgix", "HEADROOM_MAX_PIXELS": 1000000, "HEADROOM_ALLOW_PRIVATE_SOURCES": True},
        "existingSecret": "keys", "imagePullSecrets": [{"name": "registry"}], "podAnnotations": {"a.example.com/b": "c"},
        "nodeSelector": {"kubernetes.io/arch": "amd64"}, "tolerations": [{"key": "images", "operator": "Exists"}],
        "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
        "networkPolicy": {"extraEgress": [{"to": [{"ipBlock": {"cidr": "10.20.30.0/24"}}], "ports": [{"port": 9000}]}]},
        "autoscaling": {"queueMilliseconds": 0}, "image": {"tag": "1.2.3"},
        "service": {"type": "LoadBalancer", "annotations": {"cloud.example.com/internal": "true"}},
        "files": {"HEADROOM_CONFIG": {"configMap": "settings", "key": "headroom.yaml"}, "HEADROOM_OVERLAYS": {"secret": "stickers"},
                  "HEADROOM_LOCAL_ROOT": {"persistentVolumeClaim": "photos"},
                  "HEADROOM_RESULT_STORE": {"persistentVolumeClaim": "crops", "writable": True},
                  "AWS_WEB_IDENTITY_TOKEN_FILE": {"tokenFor": "sts.amazonaws.com", "key": "token"}},
        "extraEnv": [{"name": "AWS_REGION", "value": "eu-central-1"},
                     {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}],
        "extraEnvFrom": [{"configMapRef": {"name": "telemetry"}}],
        "extraVolumes": [{"name": "scratch", "emptyDir": {}}],
        "extraVolumeMounts": [{"name": "scratch", "mountPath": "/scratch"}],
        "serviceAccount": {"create": True, "annotations": {"eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/headroom"}},
        "annotations": {"a.example.com/d": "e"}, "podLabels": {"team": "images"}, "priorityClassName": "high",
        "topologySpreadConstraints": [
            {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule"},
            {"maxSkew": 2, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway"},
        ],
        "containerSecurityContext": {"seLinuxOptions": {"level": "s0:c1,c2"}},
        "ingress": {"enabled": True, "className": "nginx", "annotations": {"a.example.com/i": "j"}, "hosts": ["img.example.com"],
                    "tls": [{"secretName": "img-tls", "hosts": ["img.example.com"]}]},
        "httpRoute": {"enabled": True, "parentRefs": [{"name": "public", "namespace": "gateways"}], "hostnames": ["img.example.com"]},
    },
}
EXAMPLES = {path.stem: yaml.safe_load(path.read_text()) for path in sorted((CHART / "examples").glob("*.yaml"))}
SETS |= {f"examples/{name}.yaml": values for name, values in EXAMPLES.items()}
WRONG = (
    {"workers": 0}, {"redis": {"url": "http://cache"}}, {"replica": 3}, {"settings": {"MAX_PIXELS": 1}}, {"service": {"port": 70000}},
    {"files": {"HEADROOM_CONFIG": {}}}, {"files": {"HEADROOM_CONFIG": {"secret": "a", "configMap": "b"}}},
    {"files": {"CONFIG": {"secret": "a"}}}, {"files": {"HEADROOM_CONFIG": {"secret": "a", "key": "/etc/passwd"}}},
    {"files": {"AWS_REGION": {"secret": "a"}}}, {"files": {"AWS_WEB_IDENTITY_TOKEN_FILE": {"tokenFor": "sts.amazonaws.com"}}},
    {"service": {"ipFamilyPolicy": "IPv6"}}, {"extraVolumes": [{"emptyDir": {}}]}, {"ingress": {"enabled": True}},
    {"httpRoute": {"enabled": True}}, {"httpRoute": {"enabled": True, "parentRefs": [{"namespace": "gateways"}]}},
)
# The requirements of OpenShift's restricted-v2 for a container, in addition to no user and no group.
RESTRICTED = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}


def named(text):
    """Returns the objects of a YAML text by kind and name."""
    return {(each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(text) if each}


def objects(chart, values, name="headroom"):
    """Returns the objects of a release with a name."""
    made = chart.render(values, name=name, namespace="headroom")
    found = [named(text) for path, text in made.items() if path.endswith(".yaml")]
    merged = {key: each for one in found for key, each in one.items()}
    assert len(merged) == sum(map(len, found)), "two objects have the same name"
    return merged


def without(thing):
    """Returns an object without the parts that only the chart or only Kustomize creates."""
    if isinstance(thing, dict):
        return {name: without(value) for name, value in thing.items() if name not in OWN_LABELS | {"imagePullPolicy"}}
    return [without(each) for each in thing] if isinstance(thing, list) else thing


def linted(chart):
    found = lint(CHART, strict=True)
    # An icon is only needed in a registry of charts.
    messages = [message for message in found["messages"] if "icon is recommended" not in message["error"]]
    assert not messages and not found["errors"], messages or found["errors"]
    return f"chart {chart.version}, program {chart.metadata['appVersion']}"


def rendered(chart):
    counts = []
    for name, values in SETS.items():
        for release in ("headroom", "other"):
            found = objects(chart, values, release)
            for (kind, _), thing in found.items():
                if kind == "ServiceMonitor":
                    spec = thing["spec"]
                    assert set(spec) == {"selector", "endpoints"} and spec["endpoints"][0]["port"] == "metrics", thing
                elif kind == "HTTPRoute":
                    spec = thing["spec"]
                    assert set(spec) <= {"parentRefs", "hostnames", "rules"} and spec["parentRefs"], thing
                    service = found["Service", spec["rules"][0]["backendRefs"][0]["name"]]
                    assert spec["rules"][0]["backendRefs"][0]["port"] == service["spec"]["ports"][0]["port"], thing
                else:
                    try:
                        kubernetes_validate.validate(thing, "1.34", strict=True)
                    except kubernetes_validate.ValidationError as error:
                        raise AssertionError(error) from error
            deployment = next(thing for (kind, _), thing in found.items() if kind == "Deployment")
            selected = deployment["spec"]["selector"]["matchLabels"]
            assert selected["app.kubernetes.io/instance"] == release, selected
        counts.append(f"{name} {len(found)}")
    everything = objects(chart, SETS["everything"])
    assert ("ServiceMonitor", "headroom") in everything and ("Deployment", "redis") not in everything, everything.keys()
    return "objects: " + ", ".join(counts)


def as_kustomize(chart):
    made = without(objects(chart, {}))
    there = {}
    for file in KUBERNETES.glob("*.yaml"):
        if file.name not in NOT_OF_THE_CHART:
            there |= without(named(file.read_text()))
    # Removes intended differences: the default type of a Service, the image name from kustomization.yaml, and the
    # labels of the pods' owners.
    assert made["Service", "headroom"]["spec"].pop("type") == "ClusterIP"
    made["Deployment", "headroom"]["spec"]["template"]["spec"]["containers"][0]["image"] = "headroom"
    for key in made.keys() & there.keys():
        if "labels" not in there[key]["metadata"]:
            made[key]["metadata"].pop("labels")
    old, new = (yaml.safe_dump_all([all_of[key] for key in sorted(all_of)]).splitlines() for all_of in (there, made))
    found = list(difflib.unified_diff(old, new, "deploy/kubernetes", "the chart", lineterm=""))
    assert not found, "\n".join(found)
    return f"{len(made)} objects"


def pods(found):
    """Returns the pods of all Deployments."""
    return [thing["spec"]["template"]["spec"] for (kind, _), thing in found.items() if kind == "Deployment"]


def on_openshift(chart):
    """Checks that no user or group is set at any depth, and that restricted-v2 accepts the other fields."""
    found = objects(chart, EXAMPLES["openshift"])
    chosen = re.findall(r"(?:runAsUser|runAsGroup|fsGroup|supplementalGroups|hostNetwork|hostPath)\b", yaml.safe_dump_all(found.values()))
    assert not chosen, f"the chart chooses {chosen}"
    for pod in pods(found):
        context = pod["securityContext"]
        assert context == {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}, context
        for container in pod["containers"]:
            own = container["securityContext"]
            assert {name: own.get(name) for name in RESTRICTED} == RESTRICTED, own
    rules = found["NetworkPolicy", "headroom"]["spec"]
    dns = rules["egress"][0]
    assert dns["to"][0]["podSelector"]["matchLabels"] == {"dns.operator.openshift.io/daemonset-dns": "default"}, dns
    assert {port["port"] for port in dns["ports"]} == {5353}, dns
    router = rules["ingress"][0]["from"][0]["namespaceSelector"]["matchLabels"]
    assert router == {"policy-group.network.openshift.io/ingress": ""}, router
    # Without values, the chart detects OpenShift by the API of the cluster. On other clusters, the images define the users.
    users = [pod["securityContext"].get("runAsUser") for pod in pods(objects(chart, {}))]
    assert users == [10001, 999], users
    return f"{len(pods(found))} pods without user and group"


def with_a_ca(chart):
    """Checks that the container has the authority, the client certificate and the other files at the paths in its
    variables."""
    files = EXAMPLES["custom-ca"]["files"]
    assert {"HEADROOM_FETCH_CA_FILE", "HEADROOM_FETCH_CLIENT_CERTIFICATE", "HEADROOM_FETCH_CLIENT_KEY"} <= files.keys(), files
    mounted(chart, files)
    return ", ".join(files)


def mounted(chart, files):
    pod = next(pod for pod in pods(objects(chart, {"files": files})) if pod["containers"][0]["name"] == "headroom")
    container = pod["containers"][0]
    variables = {each["name"]: each.get("value") for each in container["env"]}
    volumes = {each["name"]: each for each in pod["volumes"]}
    assert len(volumes) == len(files) == len(container["volumeMounts"]), "two files use the same volume"
    for name, file in files.items():
        path = variables[name]
        mount = next(each for each in container["volumeMounts"] if path == each["mountPath"] or path.startswith(each["mountPath"] + "/"))
        assert path == "/".join([mount["mountPath"], *([file["key"]] if "key" in file else [])]), f"{name} is {path}"
        volume = volumes[mount["name"]]
        if "tokenFor" in file:
            assert volume["projected"]["sources"] == [
                {"serviceAccountToken": {"audience": file["tokenFor"], "path": file["key"]}}
            ], f"{name} is {volume}"
            continue
        kept = {"secret": ("secret", "secretName"), "configMap": ("configMap", "name"),
                "persistentVolumeClaim": ("persistentVolumeClaim", "claimName")}
        kind, member = next(value for key, value in kept.items() if key in file)
        assert volume[kind][member] == file[kind] and mount["readOnly"] != file.get("writable", False), f"{name} is {volume}"


def every_file(chart):
    """Returns the settings that are paths, from the table in docs/configuration.md."""
    rows = re.findall(r"^\| `--([a-z0-9-]+)` \| `(HEADROOM_[A-Z0-9_]+)` \|", (ROOT / "docs" / "configuration.md").read_text(), re.MULTILINE)
    folders = {"overlays", "local-root"}
    singles = {"config", "presets", "fallback-image", "fetch-client-certificate", "fetch-client-key"}
    names = {variable: option for option, variable in rows
             if option.endswith("-file") or option in folders | singles}
    assert set(names.values()) >= folders | singles and len(names) > 12, names
    files = {name: {"secret": "files"} if option in folders else {"secret": "files", "key": option} for name, option in names.items()}
    # Variables of AWS, which EKS sets itself.
    files["AWS_WEB_IDENTITY_TOKEN_FILE"] = {"tokenFor": "sts.amazonaws.com", "key": "token"}
    mounted(chart, files)
    return f"{len(files)} settings"


def refused(chart):
    for values in WRONG:
        try:
            chart.render(values, name="headroom")
        except errors.HelmError:
            continue
        raise AssertionError(f"{values} is accepted")
    return f"{len(WRONG)} sets"


with Chart.load(CHART) as loaded:
    report.each({
        "Helm's linter reports no problems": linted,
        "the objects are valid for Kubernetes 1.34": rendered,
        "the defaults equal deploy/kubernetes": as_kustomize,
        "on OpenShift the cluster chooses user and group": on_openshift,
        "a company's authority is mounted": with_a_ca,
        "every setting that is a file can be mounted": every_file,
        "invalid values are rejected": refused,
    }, loaded)
report.end()
