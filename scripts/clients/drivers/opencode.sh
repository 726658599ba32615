case $PROTOCOL in
  chat) package=@ai-sdk/openai-compatible ;;
  responses) package=@ai-sdk/openai ;;
  messages) package=@ai-sdk/anthropic ;;
esac
cat >opencode.json <<END
{
  "autoupdate": false,
  "share": "disabled",
  "provider": {
    "tollgate": {
      "npm": "$package",
      "options": { "baseURL": "$TOLLGATE_URL/v1", "apiKey": "{env:TOLLGATE_KEY}" },
      "models": { "$MODEL": { "tool_call": true, "limit": { "context": 131072, "output": 32768 } } }
    }
  }
}
END
# The command line puts arguments in quotation marks, but not its standard input.
opencode run --model "tollgate/$MODEL" <<<'call bash with {"command":"cat note.txt","description":"Reads the note"}'
opencode run --model "tollgate/$MODEL" --continue <<<'say: second turn'
