package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/openai"
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

func newModel() llms.Model {
	url, key, model := os.Getenv("TOLLGATE_URL"), os.Getenv("TOLLGATE_KEY"), os.Getenv("MODEL")
	if os.Getenv("PROTOCOL") == "messages" {
		return must(anthropic.New(anthropic.WithBaseURL(url+"/v1"), anthropic.WithToken(key), anthropic.WithModel(model)))
	}
	return must(openai.New(openai.WithBaseURL(url+"/v1"), openai.WithToken(key), openai.WithModel(model)))
}

func main() {
	schema := map[string]any{
		"type":       "object",
		"properties": map[string]any{"path": map[string]any{"type": "string"}},
		"required":   []string{"path"},
	}
	function := llms.FunctionDefinition{Name: "read_note", Description: "Reads a note.", Parameters: schema}
	tools := llms.WithTools([]llms.Tool{{Type: "function", Function: &function}})
	streamed := llms.WithStreamingFunc(func(context.Context, []byte) error { return nil })
	model := newModel()
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, first)}
	ask := func(options ...llms.CallOption) *llms.ContentChoice {
		options = append(options, tools, llms.WithMaxTokens(1024))
		choices := must(model.GenerateContent(context.Background(), messages, options...)).Choices
		return choices[len(choices)-1]
	}

	called := ask(streamed)
	for _, call := range called.ToolCalls {
		result := llms.ToolCallResponse{ToolCallID: call.ID, Name: call.FunctionCall.Name}
		result.Content = readNote(call.FunctionCall.Arguments)
		messages = append(
			messages,
			llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{call}},
			llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{result}},
		)
	}
	answer := ask()
	fmt.Println(answer.Content)
	messages = append(
		messages,
		llms.TextParts(llms.ChatMessageTypeAI, answer.Content),
		llms.TextParts(llms.ChatMessageTypeHuman, second),
	)
	fmt.Println(ask(streamed).Content)
}
