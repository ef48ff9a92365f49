package secrets

import "testing"

// spoken are texts that speak of secrets and tell none.
var spoken = []string{
	// In sentences.
	"The password is stored in the vault", "the password is wrong", "the password is expired, ask Nora", "My password is too short", "The wifi password is on the fridge", "Our admin password is the same as before",
	"The password for the router is unknown to everybody", "the password we use for the router is weak", "I changed the wifi password, it is now stronger", "I changed the password yesterday. It is Monday.", "I reset my password; it's fine now",
	"We rotated the token. Now v2.3.1 is live.", "I forgot my password. It was long.", "Nora set the password to expire.", "Set the password to match the policy", "The new password must differ from the last 5", "What is the wifi password?", "Is the password correct?",
	"Use Bitwarden as the password manager", "Use SSO to log in", "use GitHub to log in as an admin", "Use your badge to unlock the door", "Try sudo to log in as root", "You can log in with Google or with Okta", "Log in with user42 or with LDAP", "That is the password I meant", "Here is the password policy:\n\nrequired",
	"Nothing is the password for that", "This was the password prompt", "passwords are hashed with argon2id and rotated every 90 days", "The password was leaked in 2019", "the token is valid for 15m", "The secret is patience",
	"The API key is missing", "The backup codes are in the safe", "Print your recovery codes today", "My passport number is in the drawer", "The passport expires in 2031", "The IBAN is on the invoice", "The PIN is printed on the back", "the PIN changed, it is now longer",
	// In forms, configuration and programs.
	"password: required", "password: optional", "Password: Confirm", "password: <password>", "password: ***", "password: ${DB_PASSWORD}", "PASSWORD=${PASSWORD:?}", "DB_PASSWORD=changeme", "PGPASSWORD=$PW psql", "Server=db;Password=<password>;", "Server=db;Password={0};", "jdbc:postgresql://h/d?user=u&password=$PW",
	"password = cfg", "password = getSecretFromVault", "token: nextToken,", "if password == stored {", "API_KEY=OPENAI_KEY_HERE", "PRIMARY_KEY=id", "CACHE_KEY=users", "SORT_KEY=created", "--password string   the password of the user", "| password | string | required |", "password_reset: enabled",
	"password: Passwort", "type: password, name: password", "app password: four groups with four letters each", "recovery codes: ten, each for one use", "cargo login reads the token",
	"ghp_short\nand then the next line", "the keys begin with AKIA\nand go on with 16 more",
	// In other languages.
	"Das Passwort ist abgelaufen", "Das Passwort vom Router steht im Wiki", "Ich habe das Passwort geändert, es ist jetzt länger", "Bitte nutze Bitwarden als Passwortmanager", "Kennwort: erforderlich", "Der Reisepass liegt im Tresor",
	"Le mot de passe est expiré", "Le mot de passe du wifi est sur le frigo", "J'ai changé le mot de passe, c'est fait", "mot de passe : incorrect", "La contraseña es muy corta", "Cambié la contraseña, ahora es más larga", "la clave es la paciencia", "La contraseña está guardada",
	"La password è errata", "La password del server è nel wiki", "Ho cambiato la password, ora è più lunga", "A senha é fraca", "A senha do wifi está na geladeira", "Mudei a senha, agora é maior", "Het wachtwoord is te kort", "Het wachtwoord staat op de koelkast", "Ik heb het wachtwoord gewijzigd, het is nu veilig",
	"Hasło jest za krótkie", "Hasło do wifi jest na lodówce", "Пароль слишком короткий", "Пароль от вайфая на холодильнике", "Я сменил пароль, теперь он сложный", "Şifre çok kısa", "Şifremi unuttum", "Lösenordet är för kort",
	"密码太短了", "密码保存在保险箱里", "我改了密码，现在是安全的", "パスワードは短すぎます", "パスワードはSlackで共有しました", "パスワードを変更しました。今は安全です", "비밀번호가 너무 짧습니다", "비밀번호는 금고에 있습니다", "पासवर्ड बहुत छोटा है", "كلمة المرور قصيرة جدا", "كلمة السر في الخزنة",
}

func TestSpokenOfSecretsPass(t *testing.T) {
	for _, s := range spoken {
		for _, f := range Scan(s) {
			t.Errorf("%q: %s finds %q", s, f.Rule, s[f.Start:f.End])
		}
	}
}

// A word that stands for a password in templates is none, wherever it is.
func TestPlaceholdersAreNoSecrets(t *testing.T) {
	for _, word := range []string{"changeme", "CHANGEME", "change-me", "example", "placeholder", "your_password", "<password>", "***", "${PW}", "$PW", "{{ password }}", "%PW%", "password", "xxxxxxxx"} {
		for _, form := range []string{"password: ", "DB_PASSWORD=", "Server=db;Password=", "the password is ", "postgres://u:"} {
			end := ""
			if form == "postgres://u:" {
				end = "@db/shop"
			}
			wantSecret(t, form+word+end, "")
		}
	}
	for _, word := range []string{"changed4Me", "swordfish", "Xample77"} {
		wantSecret(t, "password: "+word, word)
	}
}
