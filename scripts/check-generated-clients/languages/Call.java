// Calls a service with the generated client. Arguments: the service's address, the URL of an image with three faces,
// and the URL of a missing image.

import java.net.URI;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ImagesApi;
import org.openapitools.client.api.ImagesApi.APIFacesRequest;
import org.openapitools.client.api.OperationApi;
import org.openapitools.client.model.Problem;

public class Call {
  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    System.out.println("health " + new OperationApi(client).health().strip());

    var images = new ImagesApi(client);
    // The detections of the second response come from a cache, so it has the member `cached`.
    images.faces(request(arguments[1]));
    System.out.println("faces " + images.faces(request(arguments[1])).getFaces().size());

    try {
      images.faces(request(arguments[2]));
    } catch (ApiException error) {
      var problem = client.getObjectMapper().readValue(error.getResponseBody(), Problem.class);
      System.out.println("problem " + error.getCode() + " " + problem.getType().getValue());
    }
  }

  private static APIFacesRequest request(String url) {
    return APIFacesRequest.newBuilder().url(URI.create(url)).build();
  }
}
