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
import com.hivemq.extension.sdk.api.events.client.ClientLifecycleEventListener;
import com.hivemq.extension.sdk.api.events.client.parameters.AuthenticationSuccessfulInput;
import com.hivemq.extension.sdk.api.events.client.parameters.ConnectionStartInput;
import com.hivemq.extension.sdk.api.events.client.parameters.DisconnectEventInput;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * HiveMQ CE with the features that Batti needs: it asks the hook at every CONNECT, applies its rules, and ends connections.
 * Arguments: folder (with conf/config.xml), URL of the hook, port of the management API. INTERNAL_SECRET is for both.
 */
public final class BattiBroker implements ExtensionMain {
    private static final String SECRET = "Bearer " + System.getenv("INTERNAL_SECRET");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The connected clients. */
    private static final Map<String, String> ADDRESSES = new ConcurrentHashMap<>();

    private static final class Presence implements ClientLifecycleEventListener {
        @Override
        public void onMqttConnectionStart(ConnectionStartInput input) {}

        @Override
        public void onAuthenticationSuccessful(AuthenticationSuccessfulInput input) {
            input.getConnectionInformation().getInetAddress()
                .ifPresent(at -> ADDRESSES.put(input.getClientInformation().getClientId(), at.getHostAddress()));
        }

        @Override
        public void onDisconnect(DisconnectEventInput input) {
            ADDRESSES.remove(input.getClientInformation().getClientId());
        }
    }

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
        Services.eventRegistry().setClientLifecycleEventListener(provider -> new Presence());
        Services.securityRegistry().setAuthenticatorProvider(provider -> authenticator);
        try {
            HttpServer management = HttpServer.create(new InetSocketAddress("127.0.0.1", managementPort), 0);
            management.setExecutor(Executors.newSingleThreadExecutor());
            management.createContext("/api/v5/clients", BattiBroker::manage);
            management.start();
        } catch (IOException error) {
            output.preventExtensionStartup(String.valueOf(error));
        }
    }

    @Override
    public void extensionStop(ExtensionStopInput input, ExtensionStopOutput output) {}

    /** Refuses clients while the hook does not answer; they retry by themselves. */
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

    /** Empty when the answer is not "allow". */
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

    private static void manage(HttpExchange exchange) throws IOException {
        String client = exchange.getRequestURI().getPath().replaceFirst("^/api/v5/clients/?", "");
        String method = exchange.getRequestMethod();
        if (!SECRET.equals(exchange.getRequestHeaders().getFirst("authorization"))) {
            exchange.sendResponseHeaders(401, -1);
        } else if (method.equals("GET") && client.isEmpty()) {
            byte[] body = JSON.writeValueAsBytes(Map.of("data", connected()));
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } else if (method.equals("DELETE") && !client.isEmpty()) {
            boolean wasThere = Services.clientService().disconnectClient(client).join();
            exchange.sendResponseHeaders(wasThere ? 204 : 404, -1);
        } else {
            exchange.sendResponseHeaders(405, -1);
        }
        exchange.close();
    }

    /** Lists all clients with their addresses; the api filters them. */
    private static List<Map<String, Object>> connected() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (var entry : ADDRESSES.entrySet())
            all.add(Map.of("clientid", entry.getKey(), "ip_address", entry.getValue(), "connected", true));
        return all;
    }
}
