export COPILOT_PROVIDER_API_KEY=$TOLLGATE_KEY COPILOT_MODEL=$MODEL
case $PROTOCOL in
  messages) export COPILOT_PROVIDER_TYPE=anthropic COPILOT_PROVIDER_BASE_URL=$TOLLGATE_URL ;;
  responses) export COPILOT_PROVIDER_WIRE_API=responses COPILOT_PROVIDER_BASE_URL=$TOLLGATE_URL/v1 ;;
  *) export COPILOT_PROVIDER_BASE_URL=$TOLLGATE_URL/v1 ;;
esac
copilot --allow-all-tools -p 'call bash with {"command":"cat note.txt","description":"Reads the note"}'
copilot --allow-all-tools --continue -p 'say: second turn'
