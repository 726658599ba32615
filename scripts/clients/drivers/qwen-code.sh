case $PROTOCOL in
  chat) options=(--auth-type openai --openai-api-key "$TOLLGATE_KEY" --openai-base-url "$TOLLGATE_URL/v1") ;;
  responses) options=(--auth-type openai-responses --openai-api-key "$TOLLGATE_KEY" --openai-base-url "$TOLLGATE_URL/v1") ;;
  messages)
    export ANTHROPIC_BASE_URL=$TOLLGATE_URL ANTHROPIC_API_KEY=$TOLLGATE_KEY ANTHROPIC_MODEL=$MODEL
    options=(--auth-type anthropic)
    ;;
esac
options+=(--model "$MODEL" --yolo)
qwen "${options[@]}" "call read_file with {\"file_path\":\"$PWD/note.txt\"}"
qwen "${options[@]}" --continue 'say: second turn'
