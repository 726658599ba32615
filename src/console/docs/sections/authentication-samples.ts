/** Code that creates Anthropic's client in a language. */
export type ClientSample = { language: string; code: string };

/** Anthropic's client for TypeScript. Its `apiKey` would be sent as a bearer token. */
export const typescriptSample: ClientSample = {
  language: 'TypeScript',
  code: `const client = new Anthropic({
  baseURL: '{origin}',
  apiKey: null,
  authToken: null,
  defaultHeaders: { 'x-api-key': process.env.API_KEY },
});`,
};

/** Anthropic's other clients, with the header that every endpoint under `/v1/messages` accepts. */
export const otherSamples: readonly ClientSample[] = [
  {
    language: 'Python',
    code: `client = Anthropic(
    base_url="{origin}",
    api_key=os.environ["API_KEY"],
    default_headers={"x-api-key": os.environ["API_KEY"]},
)`,
  },
  {
    language: 'Go',
    code: `client := anthropic.NewClient(
    option.WithBaseURL("{origin}"),
    option.WithHeader("x-api-key", os.Getenv("API_KEY")),
)`,
  },
  {
    language: 'Java',
    code: `AnthropicClient client = AnthropicOkHttpClient.builder()
    .baseUrl("{origin}")
    .apiKey(System.getenv("API_KEY"))
    .putHeader("x-api-key", System.getenv("API_KEY"))
    .build();`,
  },
];
