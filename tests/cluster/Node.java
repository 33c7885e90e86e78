import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/** One OpenSearch node: `java -cp 'JARS/*' Node.java FOLDER [PLUGIN ...]`. FOLDER/opensearch.yml holds its settings. */
public class Node {
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]).toAbsolutePath();
    var runner = new OpenSearchRunner();
    runner.onBuild((number, settings) -> {
      // The runner chooses a cluster of a single node, which refuses to join others.
      settings.put("discovery.type", "zen");
      try {
        settings.loadFromPath(folder.resolve("opensearch.yml"));
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    });
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        runner.close();
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }));
    var configs = OpenSearchRunner.newConfigs().basePath(folder.toString()).numOfNode(1).disableESLogger();
    if (arguments.length > 1) {
      configs.pluginTypes(String.join(",", Arrays.asList(arguments).subList(1, arguments.length)));
    }
    runner.build(configs);
    // Whoever started this node holds the other end of its input, which closes when that process ends in any way.
    while (System.in.read() >= 0) {}
    System.exit(0);
  }
}
