import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionFunctionTool;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Session {
  static final String KEY = System.getenv("TOLLGATE_KEY");
  static final String URL = System.getenv("TOLLGATE_URL");
  static final String MODEL = System.getenv("MODEL");
  static final String FIRST = "call read_note with {\"path\":\"note.txt\"}";
  static final String SECOND = "say: second turn";

  static String readNote(String path) {
    try {
      return Files.readString(Path.of(path));
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }

  static ChatCompletionMessage streamChat(OpenAIClient client, ChatCompletionCreateParams params) {
    ChatCompletionAccumulator accumulator = ChatCompletionAccumulator.create();
    try (var stream = client.chat().completions().createStreaming(params)) {
      stream.stream().forEach(accumulator::accumulate);
    }
    return accumulator.chatCompletion().choices().get(0).message();
  }

  static void chat() {
    OpenAIClient client = OpenAIOkHttpClient.builder().baseUrl(URL + "/v1").apiKey(KEY).maxRetries(0).build();
    FunctionParameters schema =
        FunctionParameters.builder()
            .putAdditionalProperty("type", JsonValue.from("object"))
            .putAdditionalProperty("properties", JsonValue.from(Map.of("path", Map.of("type", "string"))))
            .putAdditionalProperty("required", JsonValue.from(List.of("path")))
            .build();
    FunctionDefinition function = FunctionDefinition.builder().name("read_note").parameters(schema).build();
    ChatCompletionCreateParams.Builder params =
        ChatCompletionCreateParams.builder()
            .model(MODEL)
            .addTool(ChatCompletionFunctionTool.builder().function(function).build())
            .addUserMessage(FIRST);
    ChatCompletionMessage called = streamChat(client, params.build());
    params.addMessage(called);
    for (var call : called.toolCalls().get()) {
      Matcher path = Pattern.compile("\"path\": ?\"(.*)\"").matcher(call.asFunction().function().arguments());
      if (!path.find()) throw new IllegalStateException("no path");
      params.addMessage(
          ChatCompletionToolMessageParam.builder()
              .toolCallId(call.asFunction().id())
              .content(readNote(path.group(1)))
              .build());
    }
    ChatCompletionMessage answer = client.chat().completions().create(params.build()).choices().get(0).message();
    System.out.println(answer.content().get());
    params.addMessage(answer).addUserMessage(SECOND);
    System.out.println(streamChat(client, params.build()).content().get());
  }

  static Message stream(AnthropicClient client, MessageCreateParams params) {
    MessageAccumulator accumulator = MessageAccumulator.create();
    try (var stream = client.messages().createStreaming(params)) {
      stream.stream().forEach(accumulator::accumulate);
    }
    return accumulator.message();
  }

  static void print(Message message) {
    message.content().stream().flatMap(block -> block.text().stream()).forEach(text -> System.out.println(text.text()));
  }

  static void messages() {
    AnthropicClient client = AnthropicOkHttpClient.builder().baseUrl(URL).apiKey(KEY).maxRetries(0).build();
    Tool.InputSchema.Properties properties =
        Tool.InputSchema.Properties.builder()
            .putAdditionalProperty("path", com.anthropic.core.JsonValue.from(Map.of("type", "string")))
            .build();
    Tool.InputSchema schema = Tool.InputSchema.builder().properties(properties).addRequired("path").build();
    MessageCreateParams.Builder params =
        MessageCreateParams.builder()
            .model(MODEL)
            .maxTokens(4096)
            .enabledThinking(1024)
            .addTool(Tool.builder().name("read_note").inputSchema(schema).build())
            .addUserMessage(FIRST);
    Message called = stream(client, params.build());
    List<ContentBlockParam> results = new ArrayList<>();
    called.content().stream()
        .flatMap(block -> block.toolUse().stream())
        .forEach(
            call -> {
              Map<?, ?> input = call._input().convert(Map.class);
              ToolResultBlockParam.Builder result = ToolResultBlockParam.builder().toolUseId(call.id());
              String note = readNote((String) input.get("path"));
              results.add(ContentBlockParam.ofToolResult(result.content(note).build()));
            });
    params.addMessage(called).addUserMessageOfContentBlockParams(results);
    Message answer = client.messages().create(params.build());
    print(answer);
    params.addMessage(answer).addUserMessage(SECOND);
    print(stream(client, params.build()));
  }

  public static void main(String[] arguments) {
    if ("messages".equals(System.getenv("PROTOCOL"))) messages();
    else chat();
    System.exit(0);
  }
}
