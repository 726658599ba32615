import { GoogleGenAI } from '@google/genai';
import { description, first, key, model, readNote, schema, second, url } from './session.mjs';

const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
const functionDeclarations = [{ name: 'read_note', description, parametersJsonSchema: schema }];
const chat = client.chats.create({ model, config: { tools: [{ functionDeclarations }] } });

async function streamed(message) {
  const chunks = [];
  for await (const chunk of await chat.sendMessageStream({ message })) chunks.push(chunk);
  return chunks;
}

const calls = (await streamed(first)).flatMap(({ functionCalls }) => functionCalls ?? []);
const results = calls.map(({ id, name, args }) => ({
  functionResponse: { id, name, response: { output: readNote(args) } },
}));
console.log((await chat.sendMessage({ message: results })).text);
console.log((await streamed(second)).map(({ text }) => text ?? '').join(''));
