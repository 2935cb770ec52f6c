// Sends requests with fetch of Node.js (undici): SERVICE IMAGE SOURCE. Prints name, status and media type of each
// request.
import { readFileSync } from "node:fs";

const [service, path, source] = process.argv.slice(2);
const image = readFileSync(path);
const form = new FormData();
form.set("image", new Blob([image]), "scene.jpg");
form.set("aspect", "1:1");
form.set("zoom", "");
const query = new URLSearchParams({ url: source, aspect: "1:1" });
const uploader = { Accept: "application/json", "Cache-Control": "no-cache", "X-Requested-With": "XMLHttpRequest" };
const json = { method: "POST", headers: { "Content-Type": "application/json" } };
const requests = {
  "GET": [`${service}/frame?${query}`],
  "GET with axios' Accept": [`${service}/frame?${query}&format=jpeg`, { headers: { Accept: "application/json, text/plain, */*" } }],
  "POST raw": [`${service}/frame?aspect=1:1`, { method: "POST", body: image }],
  "POST multipart": [`${service}/frame`, { method: "POST", body: form }],
  "POST like Dropzone": [`${service}/frame`, { method: "POST", headers: uploader, body: form }],
  "GET with booleans of Python": [`${service}/frame?${query}&enlarge=True&progressive=False&format=jpeg`],
  "POST form": [`${service}/frame`, { method: "POST", body: query }],
  "POST JSON": [`${service}/frame`, { ...json, body: JSON.stringify({ url: source, aspect: ["1:1"], zoom: null }) }],
};
for (const [name, [address, options]] of Object.entries(requests)) {
  const response = await fetch(address, options);
  await response.arrayBuffer();
  console.log(`${name}\t${response.status}\t${response.headers.get("content-type")}`);
}
