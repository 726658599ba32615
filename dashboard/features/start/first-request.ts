/** Returns a first request for `curl`. */
export const firstRequest = (baseUrl: string, model: string, key = '$API_KEY'): string =>
  `curl ${baseUrl}/chat/completions \\
  -H "authorization: Bearer ${key}" \\
  -H "content-type: application/json" \\
  -d '{ "model": "${model}", "messages": [{ "role": "user", "content": "Hello!" }] }'`;
