"""A person at the hub without a browser: logged in, with their server running."""

from typing import Any

import requests

from tests.hub.server import Server


class Visitor:
    """session: with the cookies and the token of that person. name: their account."""

    def __init__(self, server: Server, letter: str) -> None:
        self.server, self.url, self.name = server, server.url, server.names[letter]
        self.session = requests.Session()
        self.session.trust_env = False  # a machine's own proxy or certificates would come first
        self.session.verify = str(server.root / "private/certificates/rlcourse/rlcourse.crt")
        page = self.get("/hub/login")
        page.raise_for_status()
        form = {
            "username": self.name,
            "password": server.password(letter),
            "_xsrf": self.session.cookies["_xsrf"],
        }
        answer = self.session.post(
            f"{self.url}/hub/login", data=form, params={"next": "/hub/token"}
        )
        answer.raise_for_status()
        self.token = self._new_token()
        self.session.headers["Authorization"] = f"token {self.token}"

    def _new_token(self) -> str:
        answer = self.session.post(
            f"{self.url}/hub/api/users/{self.name}/tokens",
            json={"note": "test"},
            headers={"X-XSRFToken": self.session.cookies["_xsrf"], "Referer": self.url},
        )
        answer.raise_for_status()
        return answer.json()["token"]

    def get(self, path: str, method: str = "GET", **options: Any) -> requests.Response:
        """The answer to a request, by default a GET, without following where it leads."""
        address = path if "://" in path else self.url + path
        return self.session.request(method, address, allow_redirects=False, **options)

    def start(self) -> None:
        """Start the person's server, unless it runs, and return when the hub says it is ready."""
        user = self.get(f"/hub/api/users/{self.name}")
        user.raise_for_status()
        if user.json()["server"] is not None:
            return
        self.get(f"/hub/api/users/{self.name}/server", "POST").raise_for_status()
        progress = self.get(f"/hub/api/users/{self.name}/server/progress", stream=True)
        progress.raise_for_status()
        lines = [line for line in progress.iter_lines(decode_unicode=True) if line]
        assert '"ready": true' in lines[-1], lines[-3:]

    def stop(self) -> None:
        """End the person's server, and return when the hub says that there is none."""
        user = f"/hub/api/users/{self.name}"
        self.get(f"{user}/server", "DELETE")
        self.server.wait_for(lambda: self.get(user).json()["server"] is None)

    def start_kernel(self) -> str:
        """A kernel of the person's server; its id."""
        answer = self.get(f"/user/{self.name}/api/kernels", "POST", json={"name": "python3"})
        answer.raise_for_status()
        return answer.json()["id"]
