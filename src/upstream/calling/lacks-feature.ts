/** Words of a host that lacks an endpoint or a feature. */
const FEATURE = new RegExp(
  [
    '(unknown|invalid|unsupported)[ _]?(request )?(url|path|route|endpoint|operation|method|feature)',
    '(url|endpoint|route|path|operation|method|feature|tool use|function calling|embeddings|streaming|completions|responses)' +
      "\\b[^.]{0,60}\\b(not (found|supported|available|implemented|enabled)|n[o']t exist|unsupported|unavailable)",
    "(not|n't) support(ed)?\\b[^.]{0,60}\\b(endpoint|feature|tools?|images?|audio|streaming|embeddings|v1/)",
    'no endpoints found that support|not_?implemented',
  ].join('|'),
  'i',
);
/** Words of a host that lacks the model, and pages of a server that is no API. */
const MODEL = new RegExp(
  [
    "\\b(models?|deployment|engine)\\b[^.]{0,120}\\b(not (found|available)|n[o']t exist|unknown|no access)",
    '(no such|unknown|invalid) (model|deployment)|model_?not_?found|deployment_?not_?found|<html|<!doctype',
  ].join('|'),
  'i',
);

/** Reports whether a 404 says that the host lacks what the request asks for, and not its model. */
export const lacksFeature = (body: string): boolean => FEATURE.test(body) && !MODEL.test(body);
