// Compares the module and its types with openapi.yaml; `make check-clients` passes it as JSON in HEADROOM_OPENAPI.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { PARAMETERS } from "../headroom.js";

const file = process.env.HEADROOM_OPENAPI;
const skip = file ? false : "HEADROOM_OPENAPI is not set";
const description = file ? JSON.parse(readFileSync(file, "utf8")) : { paths: {} };
const types = readFileSync(new URL("../headroom.d.ts", import.meta.url), "utf8");
const INTERFACES = { "/frame": "FrameParameters", "/faces": "FacesParameters", "/faces/{index}": "FaceParameters" };

function resolved(value) {
  return value.$ref ? resolved(value.$ref.slice(2).split("/").reduce((object, name) => object[name], description)) : value;
}

/** Returns the schemas of query parameters by name. */
function described(parameters) {
  const query = parameters.map(resolved).filter((each) => each.in === "query");
  return Object.fromEntries(query.map((each) => [each.name, resolved(each.schema)]));
}

/** Returns the values that a schema lists, as text. */
function listed(schema) {
  return [...(schema.enum ?? []).map(String), ...(schema.anyOf ?? []).flatMap((each) => listed(resolved(each)))];
}

/** Returns the values that a type lists, as text, including the values of the types that it names. */
function written(type) {
  const alias = (name) => types.match(new RegExp(`^export type ${name} =([^;]*);$`, "m"))?.[1];
  const named = (type.match(/\b[A-Z]\w*/g) ?? []).map(alias).filter(Boolean).flatMap(written);
  return [...named, ...[...type.matchAll(/"([^"]*)"|\b(\d+)\b/g)].map((match) => match[1] ?? match[2])];
}

/** Returns the members of an interface in headroom.d.ts, as text by name, including the members of ImageParameters.
*/
function members(name) {
  const body = types.match(new RegExp(`interface ${name}\\b[^\\n]*{\\n([^]*?)\\n}`))[1];
  const own = Object.fromEntries([...body.matchAll(/^ {2}(\w+)\?: (.*);$/gm)].map(([, member, type]) => [member, type]));
  return name === "ImageParameters" ? own : { ...members("ImageParameters"), ...own };
}

function sameValues(own, expected, where) {
  const missing = expected.filter((value) => !own.includes(value));
  const extra = own.filter((value) => !expected.includes(value));
  assert.deepEqual([missing, extra], [[], []], `${where} lacks [${missing}] of openapi.yaml and has [${extra}] beside them`);
}

for (const [route, known] of Object.entries(PARAMETERS)) {
  const parameters = described(description.paths[route]?.get.parameters ?? []);
  const typed = members(INTERFACES[route]);

  test(`${route} has no other parameters than openapi.yaml`, { skip }, () => {
    const extra = (names) => Object.keys(names).filter((name) => !Object.hasOwn(parameters, name));
    assert.deepEqual(extra(known), [], `${extra(known)} in headroom.js is not a parameter of ${route} in openapi.yaml`);
    assert.deepEqual(extra(typed), [], `${extra(typed)} in headroom.d.ts is not a parameter of ${route} in openapi.yaml`);
  });

  for (const [name, schema] of Object.entries(parameters)) {
    test(`${name} at ${route} has the values of openapi.yaml`, { skip }, () => {
      assert.ok(Object.hasOwn(known, name), `openapi.yaml has the parameter ${name} at ${route}: add it to headroom.js`);
      assert.ok(name in typed, `openapi.yaml has the parameter ${name} at ${route}: add it to headroom.d.ts`);
      const yesOrNo = schema.type === "boolean" || listed(schema).includes("true");
      if (yesOrNo) {
        assert.deepEqual(known[name], ["true", "false", "1", "0"]);
        assert.equal(typed[name], "boolean");
      } else {
        sameValues(known[name] ?? [], (schema.enum ?? []).map(String), `${name} at ${route} in headroom.js`);
        const words = schema.pattern?.match(/^\^(?:(\w+)|\(([\w|]+)\))\$$/)?.slice(1).filter(Boolean)[0];
        const allowed = [...listed(schema), ...(words?.split("|") ?? [])];
        sameValues(written(typed[name]), allowed, `${name} at ${route} in headroom.d.ts`);
      }
    });
  }
}

test("each route with images is there", { skip }, () => {
  const routes = Object.entries(description.paths).filter(([, each]) => "url" in described(each.get?.parameters ?? []));
  // The body of /stream never ends, so it is for an <img>. The parameter preset of /frame replaces /preset/{preset}.
  const others = ["/stream", "/preset/{preset}"];
  assert.deepEqual(routes.map(([route]) => route).sort(), [...Object.keys(PARAMETERS), ...others].sort());
});

test("the restrictions of a signature are the same as in openapi.yaml", { skip }, () => {
  const members = (name) => types.match(new RegExp(`interface ${name}[^{]*{([^}]*)}`))[1];
  const options = members("SignOptions") + members("Freshness");
  for (const route of Object.keys(PARAMETERS)) {
    for (const name of Object.keys(described(description.paths[route].parameters))) {
      assert.match(options, new RegExp(`^ {2}${name}\\?: `, "m"), `openapi.yaml has ${name}: add it to SignOptions`);
    }
  }
});
