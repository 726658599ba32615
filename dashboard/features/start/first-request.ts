type FirstRequest = { baseUrl: string; model: string };

/** Returns a first request for `curl`, which reads the key from the environment. */
export const firstRequest = ({ baseUrl, model }: FirstRequest): string =>
  `curl ${baseUrl}/chat/completions \\
  -H "authorization: Bearer $API_KEY" \\
  -H "content-type: application/json" \\
  -d '{ "model": "${model}", "messages": [{ "role": "user", "content": "Hello!" }] }'`;
