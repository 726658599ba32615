/** Reports whether the messages protocol has a member that limits the calls of the tool. */
export const hasCallLimit = (type: string): boolean => /^(web_search|web_fetch|advisor)(_|$)/.test(type);

/** Reports whether the tool fetches pages, whose tokens the messages protocol can limit. */
export const fetchesPages = (type: string): boolean => /^web_fetch(_|$)/.test(type);

/** Reports whether the tool only finds others. Its results are in the prompt already. */
export const findsTools = (type: string): boolean => /^tool_search(_|$)/.test(type);
