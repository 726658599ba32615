use async_openai::config::OpenAIConfig;
use async_openai::types::chat::{
    ChatCompletionMessageToolCall, ChatCompletionMessageToolCalls, ChatCompletionRequestAssistantMessage,
    ChatCompletionRequestMessage, ChatCompletionRequestToolMessage, ChatCompletionRequestUserMessage,
    ChatCompletionTool, ChatCompletionTools, CreateChatCompletionRequest, CreateChatCompletionRequestArgs,
    FunctionObject,
};
use async_openai::Client;
use futures::StreamExt;
use serde_json::json;
use std::env::var;
use std::error::Error;

const FIRST: &str = "call read_note with {\"path\":\"note.txt\"}";
const SECOND: &str = "say: second turn";

fn request(messages: &[ChatCompletionRequestMessage]) -> Result<CreateChatCompletionRequest, Box<dyn Error>> {
    let path = json!({ "type": "object", "properties": { "path": { "type": "string" } }, "required": ["path"] });
    let function = FunctionObject { name: "read_note".into(), parameters: Some(path), ..Default::default() };
    Ok(CreateChatCompletionRequestArgs::default()
        .model(var("MODEL")?)
        .messages(messages)
        .tools(vec![ChatCompletionTools::Function(ChatCompletionTool { function })])
        .build()?)
}

/// Returns the text and the tool calls of a streamed answer.
async fn stream(
    client: &Client<OpenAIConfig>,
    messages: &[ChatCompletionRequestMessage],
) -> Result<(String, Vec<ChatCompletionMessageToolCall>), Box<dyn Error>> {
    let mut parts = client.chat().create_stream(request(messages)?).await?;
    let mut text = String::new();
    let mut calls: Vec<ChatCompletionMessageToolCall> = Vec::new();
    while let Some(part) = parts.next().await {
        let Some(choice) = part?.choices.into_iter().next() else { continue };
        text += &choice.delta.content.unwrap_or_default();
        for chunk in choice.delta.tool_calls.unwrap_or_default() {
            let index = chunk.index as usize;
            if calls.len() <= index {
                calls.resize(index + 1, ChatCompletionMessageToolCall::default());
            }
            let call = &mut calls[index];
            call.id += &chunk.id.unwrap_or_default();
            let Some(function) = chunk.function else { continue };
            call.function.name += &function.name.unwrap_or_default();
            call.function.arguments += &function.arguments.unwrap_or_default();
        }
    }
    Ok((text, calls))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let config = OpenAIConfig::new()
        .with_api_base(format!("{}/v1", var("TOLLGATE_URL")?))
        .with_api_key(var("TOLLGATE_KEY")?);
    let client = Client::with_config(config);
    let mut messages: Vec<ChatCompletionRequestMessage> = vec![ChatCompletionRequestUserMessage::from(FIRST).into()];
    let (_, calls) = stream(&client, &messages).await?;
    let tool_calls = calls.iter().cloned().map(ChatCompletionMessageToolCalls::Function).collect();
    let called = ChatCompletionRequestAssistantMessage { tool_calls: Some(tool_calls), ..Default::default() };
    messages.push(called.into());
    for call in calls {
        let input: serde_json::Value = serde_json::from_str(&call.function.arguments)?;
        let note = std::fs::read_to_string(input["path"].as_str().ok_or("no path")?)?;
        let result = ChatCompletionRequestToolMessage { content: note.into(), tool_call_id: call.id };
        messages.push(result.into());
    }
    let answer = client.chat().create(request(&messages)?).await?;
    let text = answer.choices[0].message.content.clone().unwrap_or_default();
    println!("{text}");
    messages.push(ChatCompletionRequestAssistantMessage::from(text.as_str()).into());
    messages.push(ChatCompletionRequestUserMessage::from(SECOND).into());
    println!("{}", stream(&client, &messages).await?.0);
    Ok(())
}
