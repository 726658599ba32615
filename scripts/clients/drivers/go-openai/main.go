package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	openai "github.com/sashabaranov/go-openai"
)

const first = `call read_note with {"path":"note.txt"}`
const second = "say: second turn"

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func readNote(arguments string) string {
	var input struct{ Path string }
	if err := json.Unmarshal([]byte(arguments), &input); err != nil {
		panic(err)
	}
	return string(must(os.ReadFile(input.Path)))
}

// The library returns the parts of a stream as they are.
func stream(client *openai.Client, request openai.ChatCompletionRequest) openai.ChatCompletionMessage {
	parts := must(client.CreateChatCompletionStream(context.Background(), request))
	defer parts.Close()
	message := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant}
	for {
		part, err := parts.Recv()
		if errors.Is(err, io.EOF) {
			return message
		}
		for _, choice := range must(part, err).Choices {
			message.Content += choice.Delta.Content
			for _, call := range choice.Delta.ToolCalls {
				if *call.Index == len(message.ToolCalls) {
					message.ToolCalls = append(message.ToolCalls, call)
				} else {
					message.ToolCalls[*call.Index].Function.Arguments += call.Function.Arguments
				}
			}
		}
	}
}

func main() {
	config := openai.DefaultConfig(os.Getenv("TOLLGATE_KEY"))
	config.BaseURL = os.Getenv("TOLLGATE_URL") + "/v1"
	client := openai.NewClientWithConfig(config)
	schema := map[string]any{
		"type":       "object",
		"properties": map[string]any{"path": map[string]any{"type": "string"}},
		"required":   []string{"path"},
	}
	function := openai.FunctionDefinition{Name: "read_note", Parameters: schema}
	request := openai.ChatCompletionRequest{
		Model:    os.Getenv("MODEL"),
		Messages: []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: first}},
		Tools:    []openai.Tool{{Type: openai.ToolTypeFunction, Function: &function}},
	}
	called := stream(client, request)
	request.Messages = append(request.Messages, called)
	for _, call := range called.ToolCalls {
		result := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleTool, ToolCallID: call.ID}
		result.Content = readNote(call.Function.Arguments)
		request.Messages = append(request.Messages, result)
	}
	answer := must(client.CreateChatCompletion(context.Background(), request)).Choices[0].Message
	fmt.Println(answer.Content)
	asked := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: second}
	request.Messages = append(request.Messages, answer, asked)
	fmt.Println(stream(client, request).Content)
}
