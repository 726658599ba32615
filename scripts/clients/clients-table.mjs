/**
 * The clients that `npm run clients` drives, with the tool that installs each of them. `section` is a heading
 * of the page. To add a client, write its page and add a row.
 */
export const clients = [
  { id: 'openai-javascript', page: 'openai-sdk', section: 'JavaScript', tool: 'npm' },
  { id: 'google-genai', page: 'google-genai', section: 'JavaScript', tool: 'npm' },
  { id: 'google-genai-python', page: 'google-genai', section: 'Python', tool: 'pip' },
  { id: 'gemini-cli', page: 'gemini-cli', tool: 'npm' },
  { id: 'openai-python', page: 'openai-sdk', section: 'Python', tool: 'pip' },
  { id: 'anthropic-javascript', page: 'anthropic-sdk', section: 'JavaScript', tool: 'npm' },
  { id: 'anthropic-python', page: 'anthropic-sdk', section: 'Python', tool: 'pip' },
  { id: 'ai-sdk', page: 'ai-sdk', tool: 'npm' },
  { id: 'langchain-javascript', page: 'langchain', section: 'JavaScript', tool: 'npm' },
  { id: 'langchain-python', page: 'langchain', section: 'Python', tool: 'pip' },
  { id: 'claude-code', page: 'claude-code', tool: 'npm' },
  { id: 'codex', page: 'codex', tool: 'npm' },
  { id: 'opencode', page: 'opencode', tool: 'npm' },
  { id: 'continue', page: 'continue', tool: 'npm' },
  { id: 'copilot', page: 'copilot', section: 'Command line', tool: 'npm' },
  { id: 'cline', page: 'cline', tool: 'npm' },
  { id: 'openai-go', page: 'go', section: 'OpenAI', tool: 'go' },
  { id: 'anthropic-go', page: 'go', section: 'Anthropic', tool: 'go' },
  { id: 'google-genai-go', page: 'go', section: 'Google', tool: 'go' },
  { id: 'async-openai-rust', page: 'rust', tool: 'cargo' },
  { id: 'java', page: 'java', tool: 'mvn' },
];

/** The pages of clients that no registry has as a program to run here. Tests only parse their snippets. */
export const unrunPages = ['librechat', 'open-webui'];

/** The programs that the tools consist of, and where to get them. */
export const tools = {
  npm: { programs: ['npm'], source: 'Node.js' },
  pip: { programs: ['python3'], source: 'Python 3 with the module venv' },
  go: { programs: ['go'], source: 'Go' },
  cargo: { programs: ['cargo'], source: 'Rust' },
  mvn: { programs: ['mvn', 'javac'], source: 'a JDK and Maven' },
};

/** Keeps the clients from calling their vendors while they are driven. */
export const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  COPILOT_OFFLINE: 'true',
  COPILOT_AUTO_UPDATE: 'false',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  CONTINUE_TELEMETRY_ENABLED: '0',
};
