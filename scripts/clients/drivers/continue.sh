provider=openai
if [ "$PROTOCOL" = messages ]; then provider=anthropic; fi
cat >config.yaml <<END
name: Tollgate
version: 1.0.0
schema: v1
models:
  - name: Session
    provider: $provider
    model: $MODEL
    apiBase: $TOLLGATE_URL/v1
    apiKey: $TOLLGATE_KEY
    roles: [chat]
    capabilities: [tool_use]
END
cn --config config.yaml --auto -p 'call Bash with {"command":"cat note.txt"}'
cn --config config.yaml --auto --resume -p 'say: second turn'
