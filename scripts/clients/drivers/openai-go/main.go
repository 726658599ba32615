package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

const first = `call read_note with {"path":"note.txt"}`
const second = "say: second turn"

var model = os.Getenv("MODEL")
var schema = map[string]any{
	"type":       "object",
	"properties": map[string]any{"path": map[string]any{"type": "string"}},
	"required":   []string{"path"},
}

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

func streamChat(client openai.Client, params openai.ChatCompletionNewParams) openai.ChatCompletionMessage {
	stream := client.Chat.Completions.NewStreaming(context.Background(), params)
	answer := openai.ChatCompletionAccumulator{}
	for stream.Next() {
		if !answer.AddChunk(stream.Current()) {
			panic("the chunk does not belong to the answer")
		}
	}
	if stream.Err() != nil {
		panic(stream.Err())
	}
	return answer.Choices[0].Message
}

func chat(client openai.Client) {
	function := openai.FunctionDefinitionParam{Name: "read_note", Parameters: schema}
	params := openai.ChatCompletionNewParams{
		Model:    model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(first)},
		Tools:    []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(function)},
	}
	called := streamChat(client, params)
	params.Messages = append(params.Messages, called.ToParam())
	for _, call := range called.ToolCalls {
		params.Messages = append(params.Messages, openai.ToolMessage(readNote(call.Function.Arguments), call.ID))
	}
	answer := must(client.Chat.Completions.New(context.Background(), params)).Choices[0].Message
	fmt.Println(answer.Content)
	params.Messages = append(params.Messages, answer.ToParam(), openai.UserMessage(second))
	fmt.Println(streamChat(client, params).Content)
}

func respond(client openai.Client) {
	tool := responses.FunctionToolParam{Name: "read_note", Parameters: schema, Strict: openai.Bool(false)}
	params := responses.ResponseNewParams{
		Model: model,
		Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(first)},
		Tools: []responses.ToolUnionParam{{OfFunction: &tool}},
	}
	stream := client.Responses.NewStreaming(context.Background(), params)
	var called responses.Response
	for stream.Next() {
		if event := stream.Current(); event.Type == "response.completed" {
			called = event.Response
		}
	}
	if stream.Err() != nil {
		panic(stream.Err())
	}
	items := []responses.ResponseInputItemUnionParam{}
	for _, item := range called.Output {
		if item.Type == "function_call" {
			call := item.AsFunctionCall()
			output := responses.ResponseInputItemParamOfFunctionCallOutput(readNote(call.Arguments))
			output.OfFunctionCallOutput.CallID = openai.String(call.CallID)
			items = append(items, output)
		}
	}
	params.PreviousResponseID = openai.String(called.ID)
	params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: items}
	answer := must(client.Responses.New(context.Background(), params))
	fmt.Println(answer.OutputText())
	params.PreviousResponseID = openai.String(answer.ID)
	params.Input = responses.ResponseNewParamsInputUnion{OfString: openai.String(second)}
	fmt.Println(must(client.Responses.New(context.Background(), params)).OutputText())
}

func main() {
	client := openai.NewClient(
		option.WithBaseURL(os.Getenv("TOLLGATE_URL")+"/v1"),
		option.WithAPIKey(os.Getenv("TOLLGATE_KEY")),
		option.WithMaxRetries(0),
	)
	if os.Getenv("PROTOCOL") == "responses" {
		respond(client)
	} else {
		chat(client)
	}
}
