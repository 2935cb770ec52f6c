"""Calls a service with the generated client. Arguments: its address, and the URLs of an image with three faces and of a
missing image."""
import sys

import openapi_client

base, image, missing = sys.argv[1:]
with openapi_client.ApiClient(openapi_client.Configuration(host=base)) as client:
    print("health", openapi_client.OperationApi(client).health().strip())
    images = openapi_client.ImagesApi(client)
    # The detections of the second response come from a cache, so it has the member `cached`.
    images.frame(url=image, aspect="1:1", dpr=2, format=openapi_client.Format.JSON)
    print("faces", len(images.faces(url=image).faces))
    try:
        images.faces(url=missing)
    except openapi_client.ApiException as error:
        print("problem", error.status, error.data.type)
