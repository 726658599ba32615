export COPILOT_PROVIDER_BASE_URL=$TOLLGATE_URL/v1 COPILOT_PROVIDER_API_KEY=$TOLLGATE_KEY COPILOT_MODEL=$MODEL
case $PROTOCOL in
  responses) export COPILOT_PROVIDER_WIRE_API=responses ;;
  messages) export COPILOT_PROVIDER_TYPE=anthropic COPILOT_PROVIDER_BASE_URL=$TOLLGATE_URL ;;
esac
copilot --allow-all-tools -p 'call bash with {"command":"cat note.txt","description":"Reads the note"}'
copilot --allow-all-tools --continue -p 'say: second turn'
