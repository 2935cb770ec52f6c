// Calls a service with the generated client. Arguments: the service's address, the URL of an image with three faces,
// and the URL of a missing image.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	client "generated/client"
)

func main() {
	base, image, missing := os.Args[1], os.Args[2], os.Args[3]
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: base}}
	api := client.NewAPIClient(configuration)
	ctx := context.Background()

	health, _, err := api.OperationAPI.Health(ctx).Execute()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("health", strings.TrimSpace(health))

	// The detections of the second response come from a cache, so it has the member `cached`.
	if _, _, err = api.ImagesAPI.Frame(ctx).Url(image).Aspect("1:1").Format(client.FORMAT_JSON).Execute(); err != nil {
		log.Fatal(err)
	}
	faces, _, err := api.ImagesAPI.Faces(ctx).Url(image).Execute()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("faces", len(faces.Faces))

	_, response, err := api.ImagesAPI.Faces(ctx).Url(missing).Execute()
	var failure *client.GenericOpenAPIError
	if !errors.As(err, &failure) {
		log.Fatal(err)
	}
	problem := failure.Model().(client.Problem)
	fmt.Println("problem", response.StatusCode, problem.Type)
}
