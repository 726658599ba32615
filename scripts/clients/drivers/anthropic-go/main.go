package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

const first = `call read_note with {"path":"note.txt"}`
const second = "say: second turn"

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func readNote(arguments []byte) string {
	var input struct{ Path string }
	if err := json.Unmarshal(arguments, &input); err != nil {
		panic(err)
	}
	return string(must(os.ReadFile(input.Path)))
}

func stream(client anthropic.Client, params anthropic.MessageNewParams) anthropic.Message {
	stream := client.Messages.NewStreaming(context.Background(), params)
	message := anthropic.Message{}
	for stream.Next() {
		if err := message.Accumulate(stream.Current()); err != nil {
			panic(err)
		}
	}
	if stream.Err() != nil {
		panic(stream.Err())
	}
	return message
}

func text(message *anthropic.Message) (text string) {
	for _, block := range message.Content {
		text += block.Text
	}
	return text
}

func main() {
	client := anthropic.NewClient(
		option.WithBaseURL(os.Getenv("TOLLGATE_URL")),
		option.WithAPIKey(os.Getenv("TOLLGATE_KEY")),
		option.WithMaxRetries(0),
	)
	schema := anthropic.ToolInputSchemaParam{
		Properties: map[string]any{"path": map[string]any{"type": "string"}},
		Required:   []string{"path"},
	}
	params := anthropic.MessageNewParams{
		Model:     anthropic.Model(os.Getenv("MODEL")),
		MaxTokens: 4096,
		Thinking:  anthropic.ThinkingConfigParamOfEnabled(1024),
		Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(first))},
		Tools:     []anthropic.ToolUnionParam{anthropic.ToolUnionParamOfTool(schema, "read_note")},
	}
	called := stream(client, params)
	results := []anthropic.ContentBlockParamUnion{}
	for _, block := range called.Content {
		if block.Type == "tool_use" {
			results = append(results, anthropic.NewToolResultBlock(block.ID, readNote(block.Input), false))
		}
	}
	params.Messages = append(params.Messages, called.ToParam(), anthropic.NewUserMessage(results...))
	answer := must(client.Messages.New(context.Background(), params))
	fmt.Println(text(answer))
	params.Messages = append(params.Messages, answer.ToParam(), anthropic.NewUserMessage(anthropic.NewTextBlock(second)))
	last := stream(client, params)
	fmt.Println(text(&last))
}
