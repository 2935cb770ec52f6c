// Code that TypeScript accepts and rejects: `tsc --project test`.
import { PARAMETERS, extract, faceURL, facesURL, frameURL, generate, nextLoader, sign, transform } from "../headroom";

const url = "https://example.com/a.jpg";
const address = "https://img.example.com";

const crop: string = frameURL(address, { url, aspect: ["16:9", 1], gravity: "face:2", quality: "source", enlarge: true });
const all: string = facesURL(address, { url, format: "zip" });
const one: string = faceURL(address, 1, { url, format: "avif", maxBytes: 60_000, rotate: 90, flip: "both" });
const corner: string = frameURL(address, { url, gravity: "top-left", region: "0,0,0.5,1", fit: "inside", profile: "keep" });
const signed: Promise<string> = sign(new URL(crop), "key", { method: "POST", expires: new Date(), maxUpload: 1, maxAge: 60, prefix: "/" });
const fits: readonly string[] | null | undefined = PARAMETERS["/frame"].fit;

// @ts-expect-error: an unknown parameter
frameURL(address, { url, widht: 400 });
// @ts-expect-error: an invalid value
frameURL(address, { url, fit: "covr" });
// @ts-expect-error: a format of another route
facesURL(address, { url, format: "html" });
// @ts-expect-error: gravity is not a parameter for one face
faceURL(address, 1, { url, gravity: "faces" });
// @ts-expect-error: animation is not a parameter of /faces
facesURL(address, { url, animation: "still" });
// @ts-expect-error: an angle that is not a multiple of 90°
frameURL(address, { url, rotate: 45 });
// @ts-expect-error: a parameter, not a restriction of a signature
sign(one, "key", { method: "POST", maxBytes: 1 });
// @ts-expect-error: the loader sets the width
nextLoader(address, { width: 400 });

// The type that `<Image loader>` of Next.js expects.
const loader: (image: { src: string; width: number; quality?: number }) => string = nextLoader(address, { aspect: "1:1" });

// The types that unpic expects from a provider.
type Options = { baseUrl?: string; origin?: string };
type Operations = { width?: number | string; height?: number | string; quality?: number | string };
const generates: (src: string | URL, operations: Operations, options?: Options) => string = generate;
const transforms: (src: string | URL, operations: Operations, options?: Options) => string = transform;
const extracts: (url: string | URL, options?: Options) => { src: string; operations: Operations; options: Options } | null =
  extract;

export { all, corner, extracts, fits, generates, loader, one, signed, transforms };
