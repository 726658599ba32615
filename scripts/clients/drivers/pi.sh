base=$TOLLGATE_URL/v1
case $PROTOCOL in
  chat) api=openai-completions ;;
  responses) api=openai-responses ;;
  messages) api=anthropic-messages base=$TOLLGATE_URL ;;
esac
mkdir -p ~/.pi/agent
cat >~/.pi/agent/models.json <<END
{
  "providers": {
    "tollgate": {
      "baseUrl": "$base",
      "api": "$api",
      "apiKey": "TOLLGATE_KEY",
      "models": [{ "id": "$MODEL", "reasoning": true, "contextWindow": 131072, "maxTokens": 32768 }]
    }
  }
}
END
pi --offline --provider tollgate --model "$MODEL" -p 'call bash with {"command":"cat note.txt"}'
pi --offline --provider tollgate --model "$MODEL" --continue -p 'say: second turn'
