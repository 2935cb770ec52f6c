import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sends requests with Java's HTTP client: SERVICE IMAGE SOURCE. Prints name, status and media type of each request.
*/
public class Requests {
    private static final HttpClient client = HttpClient.newHttpClient();

    private static void send(String name, HttpRequest.Builder request) throws Exception {
        var response = client.send(request.build(), BodyHandlers.ofByteArray());
        var type = response.headers().firstValue("content-type").orElse("none");
        System.out.println(name + "\t" + response.statusCode() + "\t" + type);
    }

    public static void main(String[] arguments) throws Exception {
        var service = arguments[0];
        var image = Path.of(arguments[1]);
        var source = arguments[2];
        var query = "url=" + URLEncoder.encode(source, StandardCharsets.UTF_8) + "&aspect=1%3A1";
        var frame = URI.create(service + "/frame");
        send("GET", HttpRequest.newBuilder(URI.create(service + "/frame?" + query)));
        send("POST raw", HttpRequest.newBuilder(frame).POST(BodyPublishers.ofFile(image)));
        var form = new ByteArrayOutputStream();
        var part = "--b0\r\nContent-Disposition: form-data; name=";
        form.write((part + "\"aspect\"\r\n\r\n1:1\r\n" + part + "\"zoom\"\r\n\r\n\r\n").getBytes(StandardCharsets.UTF_8));
        form.write((part + "\"image\"; filename=\"scene.jpg\"\r\n\r\n").getBytes(StandardCharsets.UTF_8));
        form.write(Files.readAllBytes(image));
        form.write("\r\n--b0--\r\n".getBytes(StandardCharsets.UTF_8));
        send("POST multipart", HttpRequest.newBuilder(frame).header("Content-Type", "multipart/form-data; boundary=b0")
            .POST(BodyPublishers.ofByteArray(form.toByteArray())));
        send("POST form", HttpRequest.newBuilder(frame).header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(query)));
        // The JSON that Jackson writes for a bean with a list and with a property that is not set.
        var json = "{\"url\":\"" + source + "\",\"aspect\":[\"1:1\"],\"zoom\":null}";
        send("POST JSON", HttpRequest.newBuilder(frame).header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
    }
}
