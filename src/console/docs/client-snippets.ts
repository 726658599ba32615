import { fillIn } from './fill-in.ts';

export type SnippetKind = 'http' | 'sdk' | 'agent';

/** A file with its name, or commands for a shell where `file` is null. */
export type SnippetPart = { file: string | null; code: string };

export type ClientSnippet = {
  id: string;
  title: string;
  kind: SnippetKind;
  /** One or two sentences, with code in backticks. */
  note: string;
  /** The endpoint that the client calls. */
  needs: '/v1/chat/completions' | '/v1/messages' | '/v1/responses';
  parts: readonly SnippetPart[];
};

const shell = (code: string): SnippetPart => ({ file: null, code });
const file = (name: string, code: string): SnippetPart => ({ file: name, code });

/**
 * The settings of clients. `{origin}`, `{model}`, `{small_model}`, `{context}` and `{output}` are
 * placeholders. The key is in the variable `API_KEY`. `docs/clients` has the same settings with explanations,
 * and `npm run clients` runs those with the real clients.
 */
export const clientSnippets: readonly ClientSnippet[] = [
  {
    id: 'curl',
    title: 'curl',
    kind: 'http',
    needs: '/v1/chat/completions',
    note: 'Add `"stream": true` to stream the answer.',
    parts: [
      shell(`curl {origin}/v1/chat/completions \\
  -H "authorization: Bearer $API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{
    "model": "{model}",
    "messages": [{ "role": "user", "content": "Hello!" }]
  }'`),
    ],
  },
  {
    id: 'python',
    title: 'Python',
    kind: 'sdk',
    needs: '/v1/chat/completions',
    note: 'With the official SDK: `pip install openai`.',
    parts: [
      file(
        'chat.py',
        `import os
from openai import OpenAI

client = OpenAI(
    base_url="{origin}/v1",
    api_key=os.environ["API_KEY"],
)
completion = client.chat.completions.create(
    model="{model}",
    messages=[{"role": "user", "content": "Hello!"}],
)
print(completion.choices[0].message.content)`,
      ),
    ],
  },
  {
    id: 'typescript',
    title: 'TypeScript',
    kind: 'sdk',
    needs: '/v1/chat/completions',
    note: 'With the official SDK: `npm install openai`.',
    parts: [
      file(
        'chat.mts',
        `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '{origin}/v1',
  apiKey: process.env.API_KEY,
});
const completion = await client.chat.completions.create({
  model: '{model}',
  messages: [{ role: 'user', content: 'Hello!' }],
});
console.log(completion.choices[0].message.content);`,
      ),
    ],
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    kind: 'agent',
    needs: '/v1/messages',
    note: 'Install it with `npm install -g @anthropic-ai/claude-code`. The base URL has no `/v1`.',
    parts: [
      shell(`export ANTHROPIC_BASE_URL={origin}
export ANTHROPIC_AUTH_TOKEN=$API_KEY
export ANTHROPIC_MODEL={model}
export ANTHROPIC_DEFAULT_HAIKU_MODEL={small_model}
claude`),
    ],
  },
  {
    id: 'codex',
    title: 'Codex',
    kind: 'agent',
    needs: '/v1/responses',
    note: 'Install it with `npm install -g @openai/codex`. `OPENAI_BASE_URL` has no effect on Codex.',
    parts: [
      file(
        '~/.codex/config.toml',
        `model = "{model}"
model_provider = "tollgate"

[model_providers.tollgate]
name = "Tollgate"
base_url = "{origin}/v1"
env_key = "API_KEY"
wire_api = "responses"`,
      ),
      shell('codex'),
    ],
  },
  {
    id: 'opencode',
    title: 'opencode',
    kind: 'agent',
    needs: '/v1/chat/completions',
    note: 'Install it with `npm install -g opencode-ai`.',
    parts: [
      file(
        'opencode.json',
        `{
  "$schema": "https://opencode.ai/config.json",
  "provider": {
    "tollgate": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Tollgate",
      "options": { "baseURL": "{origin}/v1", "apiKey": "{env:API_KEY}" },
      "models": {
        "{model}": { "limit": { "context": {context}, "output": {output} } }
      }
    }
  }
}`,
      ),
      shell('opencode run --model tollgate/{model} "Hello!"'),
    ],
  },
  {
    id: 'python-anthropic',
    title: 'Python (Anthropic)',
    kind: 'sdk',
    needs: '/v1/messages',
    note: 'With the official SDK: `pip install anthropic`. The base URL has no `/v1`.',
    parts: [
      file(
        'message.py',
        `import os
from anthropic import Anthropic

client = Anthropic(
    base_url="{origin}",
    api_key=os.environ["API_KEY"],
)
message = client.messages.create(
    model="{model}",
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello!"}],
)
print(next(block.text for block in message.content if block.type == "text"))`,
      ),
    ],
  },
  {
    id: 'typescript-anthropic',
    title: 'TypeScript (Anthropic)',
    kind: 'sdk',
    needs: '/v1/messages',
    note: 'With the official SDK: `npm install @anthropic-ai/sdk`. The base URL has no `/v1`.',
    parts: [
      file(
        'message.mts',
        `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({
  baseURL: '{origin}',
  apiKey: process.env.API_KEY,
});
const message = await client.messages.create({
  model: '{model}',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello!' }],
});
for (const block of message.content) if (block.type === 'text') console.log(block.text);`,
      ),
    ],
  },
  {
    id: 'go',
    title: 'Go',
    kind: 'sdk',
    needs: '/v1/chat/completions',
    note: 'With the official SDK: `go get github.com/openai/openai-go/v3`.',
    parts: [
      file(
        'main.go',
        `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

func main() {
	client := openai.NewClient(
		option.WithBaseURL("{origin}/v1"),
		option.WithAPIKey(os.Getenv("API_KEY")),
	)
	completion, err := client.Chat.Completions.New(context.Background(), openai.ChatCompletionNewParams{
		Model:    "{model}",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Hello!")},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(completion.Choices[0].Message.Content)
}`,
      ),
    ],
  },
  {
    id: 'java',
    title: 'Java',
    kind: 'sdk',
    needs: '/v1/chat/completions',
    note: 'With the official SDK: `com.openai:openai-java`.',
    parts: [
      file(
        'Chat.java',
        `import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;

public class Chat {
  public static void main(String[] arguments) {
    OpenAIClient client =
        OpenAIOkHttpClient.builder().baseUrl("{origin}/v1").apiKey(System.getenv("API_KEY")).build();
    ChatCompletionCreateParams request =
        ChatCompletionCreateParams.builder().model("{model}").addUserMessage("Hello!").build();
    client.chat().completions().create(request).choices().get(0).message().content()
        .ifPresent(System.out::println);
    System.exit(0);
  }
}`,
      ),
    ],
  },
];

/**
 * The values of the placeholders. The texts of a model's name and of an address need no escaping in any of
 * the snippets.
 */
export type SnippetValues = Record<'origin' | 'model' | 'small_model' | 'context' | 'output', string>;

/** Replaces the placeholders of a snippet. */
export const fillSnippet = (snippet: ClientSnippet, values: SnippetValues): ClientSnippet => ({
  ...snippet,
  parts: snippet.parts.map(({ file: name, code }) => ({ file: name, code: fillIn(code, values) })),
});
