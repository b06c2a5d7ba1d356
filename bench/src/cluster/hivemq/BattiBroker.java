import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.hivemq.embedded.EmbeddedExtension;
import com.hivemq.embedded.EmbeddedHiveMQ;
import com.hivemq.extension.sdk.api.ExtensionMain;
import com.hivemq.extension.sdk.api.async.Async;
import com.hivemq.extension.sdk.api.async.TimeoutFallback;
import com.hivemq.extension.sdk.api.auth.SimpleAuthenticator;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthInput;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthOutput;
import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission;
import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission.MqttActivity;
import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission.PermissionType;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartOutput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopOutput;
import com.hivemq.extension.sdk.api.services.Services;
import com.hivemq.extension.sdk.api.services.builder.Builders;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;

/**
 * HiveMQ CE with what it lacks for Batti: it asks the hook at every CONNECT, takes its rules as they are, and ends connections.
 * Arguments: folder (with conf/config.xml), address of the hook, port of the management. The secret of both: INTERNAL_SECRET.
 */
public final class BattiBroker implements ExtensionMain {
    private static final String SECRET = "Bearer " + System.getenv("INTERNAL_SECRET");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final URI hook;
    private final int managementPort;

    private BattiBroker(URI hook, int managementPort) {
        this.hook = hook;
        this.managementPort = managementPort;
    }

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        EmbeddedExtension extension = EmbeddedExtension.builder()
            .withId("batti").withName("Batti").withVersion("1").withAuthor("Batti")
            .withExtensionMain(new BattiBroker(URI.create(args[1]), Integer.parseInt(args[2])))
            .build();
        EmbeddedHiveMQ broker = EmbeddedHiveMQ.builder()
            .withConfigurationFolder(folder.resolve("conf"))
            .withDataFolder(folder.resolve("data"))
            .withExtensionsFolder(folder.resolve("extensions"))
            .withEmbeddedExtension(extension)
            .build();
        broker.start().join();
    }

    @Override
    public void extensionStart(ExtensionStartInput input, ExtensionStartOutput output) {
        SimpleAuthenticator authenticator = this::ask;
        Services.securityRegistry().setAuthenticatorProvider(provider -> authenticator);
        try {
            HttpServer management = HttpServer.create(new InetSocketAddress("127.0.0.1", managementPort), 0);
            management.setExecutor(Executors.newSingleThreadExecutor());
            management.createContext("/api/v5/clients/", BattiBroker::endConnection);
            management.start();
        } catch (IOException error) {
            output.preventExtensionStartup(String.valueOf(error));
        }
    }

    @Override
    public void extensionStop(ExtensionStopInput input, ExtensionStopOutput output) {}

    /** Who cannot be asked about is not let in, and comes back by itself. */
    private void ask(SimpleAuthInput input, SimpleAuthOutput output) {
        Async<SimpleAuthOutput> answer = output.async(PATIENCE, TimeoutFallback.FAILURE);
        var connect = input.getConnectPacket();
        var question = Map.of(
            "clientid", input.getClientInformation().getClientId(),
            "username", connect.getUserName().orElse(""),
            "password", connect.getPassword().map(bytes -> StandardCharsets.UTF_8.decode(bytes).toString()).orElse(""),
            "peerhost", input.getConnectionInformation().getInetAddress().map(at -> at.getHostAddress()).orElse(""));
        HttpRequest request;
        try {
            request = HttpRequest.newBuilder(hook).timeout(PATIENCE)
                .header("authorization", SECRET).header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(question))).build();
        } catch (IOException error) {
            output.failAuthentication();
            answer.resume();
            return;
        }
        http.sendAsync(request, BodyHandlers.ofString()).whenComplete((response, error) -> {
            Optional<List<TopicPermission>> rules = error == null ? rulesOf(response.body()) : Optional.empty();
            if (rules.isPresent()) {
                output.getDefaultPermissions().addAll(rules.get());
                output.authenticateSuccessfully();
            } else {
                output.failAuthentication();
            }
            answer.resume();
        });
    }

    /** Nothing where the answer is not "allow". */
    private static Optional<List<TopicPermission>> rulesOf(String body) {
        try {
            JsonNode answer = JSON.readTree(body);
            if (!answer.path("result").asText().equals("allow")) return Optional.empty();
            List<TopicPermission> rules = new ArrayList<>();
            for (JsonNode rule : answer.path("acl")) {
                rules.add(Builders.topicPermission()
                    .topicFilter(rule.path("topic").asText())
                    .activity(rule.path("action").asText().equals("publish") ? MqttActivity.PUBLISH : MqttActivity.SUBSCRIBE)
                    .type(rule.path("permission").asText().equals("allow") ? PermissionType.ALLOW : PermissionType.DENY)
                    .build());
            }
            return Optional.of(rules);
        } catch (IOException error) {
            return Optional.empty();
        }
    }

    private static void endConnection(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (!SECRET.equals(exchange.getRequestHeaders().getFirst("authorization"))) {
            exchange.sendResponseHeaders(401, -1);
        } else if (!exchange.getRequestMethod().equals("DELETE")) {
            exchange.sendResponseHeaders(405, -1);
        } else {
            boolean wasThere = Services.clientService().disconnectClient(path.substring(path.lastIndexOf('/') + 1)).join();
            exchange.sendResponseHeaders(wasThere ? 204 : 404, -1);
        }
        exchange.close();
    }
}
