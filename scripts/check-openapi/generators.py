"""Generates clients from openapi.yaml, and uses them with the service.

`openapi-python-client` generates a client that sends requests, and `datamodel-code-generator` generates pydantic types.
Both must cover all schemas, and the responses of the service must match the generated types.
"""
import importlib
import importlib.util
import io
import pathlib
import re
import subprocess
import sys
import urllib.request

import yaml

TOOLS = pathlib.Path(sys.executable).parent
# Content types that openapi-python-client does not support: images (including application/octet-stream), live video, and
# openapi.yaml itself.
KNOWN = re.compile(r".*Unsupported content.type (image/\*|video/x-motion-jpeg|multipart/x-mixed-replace|application/yaml)(?!\w)")


def check(document: pathlib.Path, folder: pathlib.Path, service: str, image: bytes):
    """Raises an AssertionError if a generator loses a schema or a type."""
    schemas = yaml.safe_load(document.read_text())["components"]["schemas"]
    twins = {name for name in schemas for other in schemas if name != other and name.lower() == other.lower()}
    assert not twins, f"names that differ only by case: {sorted(twins)}"
    print(f"ok      openapi-python-client: {client(document, folder, schemas, service, image)}", flush=True)
    print(f"ok      datamodel-code-generator: {models(document, folder, schemas, service, image)}", flush=True)


def run(*command, folder):
    done = subprocess.run([str(word) for word in command], check=False, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def client(document, folder, schemas, service, image):
    (folder / "generator.yaml").write_text("post_hooks: []\n")
    said = run(TOOLS / "openapi-python-client", "generate", "--path", document, "--output-path", folder / "generated_client",
               "--meta", "none", "--overwrite", "--config", folder / "generator.yaml", folder=folder)
    lost = [line for line in said.splitlines() if re.match(r"Unable|Cannot|Could not|Unsupported|Failure|Invalid", line)]
    assert not [line for line in lost if not KNOWN.match(line)], "\n".join(lost)
    sys.path.insert(0, str(folder))
    generated = importlib.import_module("generated_client")
    names = {name for name, schema in schemas.items() if schema.get("type") == "object"}
    # Rect becomes rect.py, FoundFace becomes found_face.py.
    missing = sorted(name for name in names if not hasattr(importlib.import_module("generated_client.models"), name))
    assert not missing, f"no type is generated for {missing}"
    posted = importlib.import_module("generated_client.api.images.frame_posted")
    kinds = importlib.import_module("generated_client.models")
    file = importlib.import_module("generated_client.types").File
    with generated.Client(base_url=service, raise_on_unexpected_status=True) as opened:
        response = posted.sync_detailed(client=opened, body=file(payload=io.BytesIO(image)), aspect="1:1", format_=kinds.Format.JSON)
    plan = response.parsed
    assert type(plan).__name__ == "Plan", f"{response.status_code} {plan}"
    crop = plan.crops[0].crop
    assert crop.width == crop.height and plan.faces, str(plan)
    return f"{len(names)} types; a plan with {len(plan.faces)} faces"


def models(document, folder, schemas, service, image):
    path = folder / "generated_models.py"
    run(TOOLS / "datamodel-codegen", "--input", document, "--input-file-type", "openapi", "--output", path, "--output-model-type",
        "pydantic_v2.BaseModel", "--formatters", "builtin", "--disable-warnings", folder=folder)
    specification = importlib.util.spec_from_file_location("generated_models", path)
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    sys.modules["generated_models"] = module
    specification.loader.exec_module(module)
    names = {name[0].upper() + name[1:] for name in schemas}
    missing = sorted(name for name in names if not hasattr(module, name))
    assert not missing, f"no type is generated for {missing}"
    for target, kind in (("/frame?aspect=16:9,1:1&format=json", module.Plan), ("/faces", module.Faces),
                         ("/frame?aspect=1:1&format=focus", module.FocalPoints)):
        response = urllib.request.urlopen(service + target, image).read()
        kind.model_validate_json(response)
    # Members of a JSON body whose type generators lost before.
    for value in (True, 0, "1", "true"):
        module.BooleanMember.model_validate(value)
    return f"{len(names)} types; plan, faces and focal points are valid"
