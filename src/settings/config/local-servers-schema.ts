import { Type } from 'typebox';
import { namePatterns } from './name-patterns.ts';
import { choice, section } from './schema-parts.ts';

const address = (value: string, description: string) =>
  Type.String({ ...namePatterns.webAddress, default: value, description });

export const LocalServersSchema = section(
  {
    mode: choice(['auto', 'on', 'off'], {
      default: 'auto',
      description:
        'auto: looked for as long as no provider is configured, or where a variable or a route names one.',
    }),
    ollama: address('http://127.0.0.1:11434', 'Where Ollama is looked for; OLLAMA_HOST goes before it.'),
    vllm: address('http://127.0.0.1:8000', 'Where vLLM is looked for; VLLM_BASE_URL goes before it.'),
    llama_cpp: address(
      'http://127.0.0.1:8080',
      'Where llama.cpp is looked for; LLAMA_CPP_BASE_URL goes before it.',
    ),
  },
  { description: 'Servers of models on this machine, found at the start and at a reload.' },
);
