// Calls a service with the generated client. Arguments: the service's address, the URL of an image with three faces,
// and the URL of a missing image.
import { Configuration, Format, ImagesApi, OperationApi, ResponseError } from "./index";

declare const process: { argv: string[]; exit(code: number): never };

async function main(): Promise<void> {
  const [base, image, missing] = process.argv.slice(2);
  const configuration = new Configuration({ basePath: base });
  console.log("health", (await new OperationApi(configuration).health()).trim());

  const images = new ImagesApi(configuration);
  // The detections of the second response come from a cache, so it has the member `cached`.
  await images.frame({ url: image, aspect: "1:1", dpr: 2, format: Format.Json });
  console.log("faces", (await images.faces({ url: image })).faces.length);

  try {
    await images.faces({ url: missing });
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    console.log("problem", error.response.status, (await error.response.json()).type);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
