import { Type } from '../../base/schema/type.ts';
import { namePatterns } from './name-patterns.ts';
import { choice, section } from './schema-parts.ts';

const address = (value: string, description: string) =>
  Type.String({ ...namePatterns.webAddress, default: value, description });

export const LocalServersSchema = section(
  {
    mode: choice(['auto', 'on', 'off'], {
      default: 'auto',
      description:
        'auto: the gateway looks for a local server if a variable or a route names it, or if the file has no provider and keeps the default catalog. on: it always looks. off: it never looks.',
    }),
    ollama: address(
      'http://127.0.0.1:11434',
      'Address of Ollama. The variable OLLAMA_HOST takes precedence.',
    ),
    vllm: address('http://127.0.0.1:8000', 'Address of vLLM. The variable VLLM_BASE_URL takes precedence.'),
    llama_cpp: address(
      'http://127.0.0.1:8080',
      'Address of llama.cpp. The variable LLAMA_CPP_BASE_URL takes precedence.',
    ),
  },
  {
    description: 'Model servers on this machine. The gateway looks for them at the start and at each reload.',
  },
);
