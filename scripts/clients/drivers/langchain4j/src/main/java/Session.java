import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

public class Session {
  interface Reader {
    TokenStream ask(String text);
  }

  public static class Notes {
    @Tool(name = "read_note", value = "Reads a note.")
    public String readNote(@P(name = "path", value = "The path of the note.") String path) throws IOException {
      return Files.readString(Path.of(path));
    }
  }

  static String answerOf(TokenStream stream) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    stream
        .onPartialResponse(text -> {})
        .onCompleteResponse(response -> answer.complete(response.aiMessage().text()))
        .onError(answer::completeExceptionally)
        .start();
    return answer.join();
  }

  public static void main(String[] arguments) {
    OpenAiStreamingChatModel model =
        OpenAiStreamingChatModel.builder()
            .baseUrl(System.getenv("TOLLGATE_URL") + "/v1")
            .apiKey(System.getenv("TOLLGATE_KEY"))
            .modelName(System.getenv("MODEL"))
            .build();
    Reader reader =
        AiServices.builder(Reader.class)
            .streamingChatModel(model)
            .tools(new Notes())
            .chatMemory(MessageWindowChatMemory.withMaxMessages(20))
            .build();
    System.out.println(answerOf(reader.ask("call read_note with {\"path\":\"note.txt\"}")));
    System.out.println(answerOf(reader.ask("say: second turn")));
    System.exit(0);
  }
}
