import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import { description, first, key, model, protocol, readNote, schema, second, url } from './session.mjs';

const access = { baseURL: `${url}/v1`, apiKey: key };
const providers = {
  chat: () => createOpenAICompatible({ name: 'tollgate', includeUsage: true, ...access })(model),
  responses: () => createOpenAI(access)(model),
  messages: () => createAnthropic(access)(model),
};
const execute = async (input) => readNote(input);
const tools = { read_note: tool({ description, inputSchema: jsonSchema(schema), execute }) };
const settings = { model: providers[protocol](), tools, maxRetries: 0, maxOutputTokens: 4096 };
const messages = [{ role: 'user', content: first }];
const fail = ({ error }) => {
  throw error;
};

const stopWhen = ({ steps }) => steps.length > 3;
const streamed = streamText({ ...settings, messages, stopWhen, onError: fail });
console.log(await streamed.text);
const steps = await streamed.steps;
messages.push(...steps.at(-1).response.messages, { role: 'user', content: second });
console.log((await generateText({ ...settings, messages })).text);
