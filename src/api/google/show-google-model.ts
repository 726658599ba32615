import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { quotedName } from '../../inference/admission/quoted-name.ts';
import { modelName } from '../../translation/protocols/google/model-name.ts';
import { googleModelView, isListedForGoogle } from './google-model-view.ts';

/** Shows the model that the path names, in the form of Google's list. */
export function showGoogleModel({ snapshot, params }: Exchange): Reply | Refusal {
  const id = modelName(params['id']!);
  const entry = snapshot.catalog.find(id);
  if (!entry || !isListedForGoogle(entry))
    return new Refusal('unknown_model', {
      param: 'model',
      message: `There is no model '${quotedName(id)}'; GET /v1beta/models lists them.`,
    });
  return jsonReply(200, googleModelView(entry));
}
