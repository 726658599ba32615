import type { ComponentChildren } from 'preact';

type AuthCardProps = {
  title: string;
  lead?: ComponentChildren;
  children?: ComponentChildren;
  foot?: ComponentChildren;
};

/** The narrow page of signing in and up. */
export const AuthCard = ({ title, lead, children, foot }: AuthCardProps) => (
  <div class="auth">
    <div class="card auth-card">
      <h1 tabIndex={-1}>{title}</h1>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </div>
    {foot && <p class="auth-foot">{foot}</p>}
  </div>
);
