import { constants, createSign, sign } from 'node:crypto';

const encode = (value: string | Buffer): string => Buffer.from(value).toString('base64url');

export type Assertion = {
  header: Readonly<Record<string, string>>;
  claims: Readonly<Record<string, string | number>>;
  privateKey: string;
};

const partsOf = ({ header, claims }: Assertion): string =>
  `${encode(JSON.stringify(header))}.${encode(JSON.stringify(claims))}`;

/** Signs a JWT with RS256, as Google asks for it. */
export function signRs256(assertion: Assertion): string {
  const text = partsOf({ ...assertion, header: { alg: 'RS256', typ: 'JWT', ...assertion.header } });
  return `${text}.${encode(createSign('RSA-SHA256').update(text).sign(assertion.privateKey))}`;
}

/** Signs a JWT with PS256, as Microsoft Entra ID asks for it. */
export function signPs256(assertion: Assertion): string {
  const text = partsOf({ ...assertion, header: { alg: 'PS256', typ: 'JWT', ...assertion.header } });
  const key = {
    key: assertion.privateKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  };
  return `${text}.${encode(sign('sha256', Buffer.from(text), key))}`;
}
