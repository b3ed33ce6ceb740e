"""Which files hold secrets, told from their paths. Change these lists to change the policy."""

from fnmatch import fnmatchcase

NAMES = {
    ".env", ".npmrc", ".pypirc", ".netrc", "_netrc", ".git-credentials", ".pgpass", ".my.cnf",
    ".htpasswd", ".dockercfg", ".vault-token", "credentials.json", "client_secret.json",
    "service-account.json", "kubeconfig", "terraform.tfvars", "terraform.tfvars.json",
}
PREFIXES = (".env.", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "client_secret_")
SUFFIXES = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".ppk", ".kdbx", ".auto.tfvars",
            ".tfstate", ".tfstate.backup")
# The last parts of a path, for names that are ordinary elsewhere.
PATH_ENDS = (
    ".aws/credentials", ".kube/config", ".docker/config.json", ".config/gh/hosts.yml",
    ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials",
)
FOLDERS = (".ssh", ".gnupg", ".aws/sso", ".azure", ".config/gcloud")

# What looks like one of the above and is meant to be read.
HARMLESS_NAMES = {"known_hosts", "authorized_keys"}
HARMLESS_SUFFIXES = (".pub", ".example", ".sample", ".template", ".dist", ".d.ts")

# What a wildcard that begins like a secrets file may turn into.
_WILDCARD_EXAMPLES = (".env", ".env.local", ".npmrc", ".pypirc", ".netrc", ".git-credentials", "id_rsa",
                      "id_ed25519")


def is_secret(path):
    """Whether `path`, of any system and in any case, is that of a secrets file or folder."""
    path = path.replace("\\", "/").lower().rstrip("/")
    # Windows ignores blanks and dots at the end of a name, and `:` there starts a stream's name.
    name = path.rpartition("/")[2].split(":")[0].rstrip(". ")
    if name in HARMLESS_NAMES or name.endswith(HARMLESS_SUFFIXES):
        return False
    if name in NAMES or name.startswith(PREFIXES):
        return True
    if name.endswith(SUFFIXES) and name not in SUFFIXES:
        return True
    whole = "/" + path + "/"
    return whole.endswith(tuple(f"/{end}/" for end in PATH_ENDS)) or any(
        f"/{folder}/" in whole for folder in FOLDERS)


def wildcard_covers_secret(path):
    """Whether a wildcard such as `.env*` or `id_*` may name a secrets file; `*` alone is not asked."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    return name[:1] not in "*?[" and any(fnmatchcase(example, name) for example in _WILDCARD_EXAMPLES)
